<?php

declare(strict_types=1);

/**
 * A PostgreSQL server of one's own, on a socket in a temporary folder, as nobody if this is root. It goes with this.
 */
final class PostgresServer
{
    private const SCRIPT = __DIR__ . '/../../bridge/php/tests/pdo/servers.sh';

    public readonly string $folder;

    public function __construct()
    {
        $this->folder = trim((string) shell_exec('ONLY=pgsql ' . escapeshellarg(self::SCRIPT) . ' up ' . getmypid()));
        if (!file_exists("$this->folder/.s.PGSQL.5432")) {
            throw new RuntimeException('PostgreSQL does not start: is it installed?');
        }
    }

    /** In libpq's form; PDO's is the same behind "pgsql:". */
    public function dsn(): string
    {
        return "host=$this->folder dbname=postgres user=asyncpool";
    }

    public function __destruct()
    {
        shell_exec(escapeshellarg(self::SCRIPT) . ' down ' . escapeshellarg($this->folder));
    }
}
