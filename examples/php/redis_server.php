<?php

declare(strict_types=1);

/**
 * A Redis server of one's own, on a socket in a temporary folder; it goes with the object.
 */
final class RedisServer
{
    public readonly string $socket;
    private readonly string $folder;

    /** @var resource */
    private $process;

    public function __construct()
    {
        $this->folder = '/tmp/asyncpool-php-' . bin2hex(random_bytes(6));
        mkdir($this->folder, 0700);
        $this->socket = $this->folder . '/redis.sock';
        $this->process = proc_open(
            ['redis-server', '--port', '0', '--unixsocket', $this->socket, '--save', '', '--dir', $this->folder],
            [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']],
            $pipes,
        );
        // A busy machine takes its time to start it.
        for ($tries = 0; $tries < 2400 && proc_get_status($this->process)['running']; $tries++) {
            try {
                if ($this->connect()->ping()) {
                    return;
                }
            } catch (RedisException) {
                usleep(25_000);
            }
        }
        throw new RuntimeException('redis-server does not answer: is it installed?');
    }

    public function connect(): Redis
    {
        $connection = new Redis();
        $connection->connect($this->socket);

        return $connection;
    }

    public function __destruct()
    {
        proc_terminate($this->process);
        proc_close($this->process);
        @unlink($this->socket);
        rmdir($this->folder);
    }
}
