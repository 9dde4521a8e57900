<?php

/**
 * A client for Redis over streams, in a few lines: 100 coroutines read through 4 connections, and while one waits for
 * its answer the others run. redis.php does the same by php-redis, which stops them all.
 *
 * Needs redis-server, and php-redis to see that it is up. php examples/php/redis_streams.php after make.
 */

declare(strict_types=1);

use Async\Pool;

use function Async\await_all;
use function Async\readable;
use function Async\spawn;
use function Async\writable;

require __DIR__ . '/../../bridge/php/autoload.php';
require __DIR__ . '/redis_server.php';

final class RedisClient
{
    /** @var resource */
    private $stream;

    public function __construct(string $socket)
    {
        $flags = STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT;
        $this->stream = stream_socket_client("unix://$socket", flags: $flags);
        stream_set_blocking($this->stream, false);
    }

    /** @return string|int|array<mixed>|null */
    public function ask(string|int ...$words): string|int|array|null
    {
        $left = '*' . count($words) . "\r\n";
        foreach ($words as $word) {
            $left .= '$' . strlen((string) $word) . "\r\n$word\r\n";
        }
        while ($left !== '') {
            writable($this->stream);
            $sent = @fwrite($this->stream, $left);
            $left = $sent === false ? throw new RuntimeException('The server is gone') : substr($left, $sent);
        }
        return $this->answer();
    }

    private function answer(): string|int|array|null
    {
        $line = $this->line();
        $rest = substr($line, 1);
        return match ($line[0]) {
            '+' => $rest,
            '-' => throw new RuntimeException($rest),
            ':' => (int) $rest,
            '$' => $rest === '-1' ? null : substr($this->bytes((int) $rest + 2), 0, -2),
            '*' => $rest === '-1' ? null : array_map(fn() => $this->answer(), array_fill(0, (int) $rest, null)),
        };
    }

    private function line(): string
    {
        for ($line = ''; !str_ends_with($line, "\r\n");) {
            $line .= $this->read(fn() => fgets($this->stream));
        }
        return substr($line, 0, -2);
    }

    private function bytes(int $count): string
    {
        for ($bytes = ''; strlen($bytes) < $count;) {
            $bytes .= $this->read(fn() => fread($this->stream, $count - strlen($bytes)));
        }
        return $bytes;
    }

    /** Some of what the server sends, as soon as there is some. */
    private function read(Closure $read): string
    {
        readable($this->stream);
        $some = (string) $read();
        return $some === '' && feof($this->stream) ? throw new RuntimeException('The server is gone') : $some;
    }

    public function close(): void
    {
        fclose($this->stream);
    }
}

$server = new RedisServer();
$pool = new Pool(
    factory: fn() => new RedisClient($server->socket),
    destructor: fn(RedisClient $client) => $client->close(),
    max: 4,
    discardOn: [RuntimeException::class],
);
$pool->with(function (RedisClient $client): void {
    for ($i = 0; $i < 100; $i++) {
        $client->ask('SET', "key:$i", "value $i");
    }
});
$values = await_all(array_map(
    fn(int $i) => spawn(fn() => $pool->with(fn(RedisClient $client) => $client->ask('GET', "key:$i"))),
    range(0, 99),
));
$right = count(array_filter($values, fn($value, $i) => $value === "value $i", ARRAY_FILTER_USE_BOTH));
echo "read: $right of 100 values, over {$pool->count()} connections\n";

// An answer that takes its time holds nobody up: the list gets its word from another coroutine.
[[, $word]] = await_all([
    spawn(fn() => $pool->with(fn(RedisClient $client) => $client->ask('BLPOP', 'list', 0))),
    spawn(fn() => $pool->with(fn(RedisClient $client) => $client->ask('RPUSH', 'list', 'from another'))),
]);
echo "a word $word coroutine\n";
$pool->close();
$good = $right === 100 && $word === 'from another';
echo $good ? "all is right\n" : "something is wrong\n";
exit($good ? 0 : 1);
