<?php

declare(strict_types=1);

namespace Async;

use Async\Internal\PgResults;
use PgSql\Connection;

/**
 * A connection to PostgreSQL that lets other coroutines run while it waits. Of the extension pgsql; a pool lends them:
 *
 *     $pool = new Pool(
 *         factory: fn() => new PgConnection('host=/run/postgresql dbname=shop'),
 *         destructor: fn(PgConnection $connection) => $connection->close(),
 *         beforeRelease: fn(PgConnection $connection) => $connection->isIdle(),
 *     );
 *
 * It is one coroutine's at a time. Looking up a host's name blocks: hostaddr= needs none.
 */
final class PgConnection
{
    /** So many texts are prepared; more of them are sent as they are. */
    private const PREPARED = 200;

    private ?Connection $connection = null;

    /** @var resource its socket; ours to close, which leaves the connection alone */
    private $socket;

    /** A query is under way. */
    private bool $isBusy = false;

    /** @var array<string, string> the names of prepared statements, by their texts */
    private array $prepared = [];

    private int $last = 0;

    /** How many transactions are open, one in the other. */
    private int $depth = 0;

    /**
     * Connects.
     *
     * @param string $dsn in libpq's form: "host=... dbname=... user=...", or a URI
     * @throws PgException when that fails
     */
    public function __construct(string $dsn)
    {
        $connect = static fn () => \pg_connect($dsn, PGSQL_CONNECT_FORCE_NEW | PGSQL_CONNECT_ASYNC);
        $this->connection = PgResults::of($connect, 'PostgreSQL cannot be reached');
        try {
            $next = PGSQL_POLLING_WRITING; // as libpq has it of one that has just begun
            while ($next !== PGSQL_POLLING_OK) {
                $this->socket = match ($next) {
                    PGSQL_POLLING_READING, PGSQL_POLLING_WRITING => \pg_socket($this->connection),
                    default => throw $this->lost(),
                };
                $next === PGSQL_POLLING_READING ? readable($this->socket) : writable($this->socket);
                $next = \pg_connect_poll($this->connection); // the socket may be another's now, of the next host
            }
            $this->socket = \pg_socket($this->connection);
        } catch (\Throwable $error) {
            $this->close();
            throw $error;
        }
    }

    /**
     * Runs one statement.
     *
     * Its text is prepared, once on this connection. A coroutine that is cancelled while it waits has the server stop
     * the statement, and closes the connection: what was left of it is unknown.
     *
     * @param list<mixed> $params for $1, $2, ...; bytes in PostgreSQL's form, as pg_escape_bytea() makes it
     * @return list<array<string, mixed>> its rows; numbers and booleans are PHP's, numeric is a string
     * @throws PgException what the server says, or that it is gone: {@see isOpen()}
     */
    public function query(string $sql, array $params = []): array
    {
        $connection = $this->claim();
        $params = \array_map(static fn ($value) => \is_bool($value) ? ($value ? 't' : 'f') : $value, $params);
        $isOver = false;
        try {
            $name = $this->prepared[$sql] ?? null;
            if ($name === null && \count($this->prepared) < self::PREPARED) {
                $name = 'asyncpool_' . ++$this->last;
                $this->ask(static fn () => \pg_send_prepare($connection, $name, $sql));
                $this->prepared[$sql] = $name;
            }
            $rows = $this->ask(static fn () => $name === null
                ? \pg_send_query_params($connection, $sql, $params)
                : \pg_send_execute($connection, $name, $params));
            $isOver = true;
        } catch (PgException $error) {
            $isOver = true;
            unset($this->prepared[$sql]); // it may have been dropped, or what it is about has changed
            throw $error;
        } finally {
            $isOver || $this->close(); // cancelled, dropped, or closed already
            $this->isBusy = false;
        }
        if (\preg_match('/^\s*(DISCARD|DEALLOCATE)\b/i', $sql) === 1) {
            $this->prepared = [];
        }
        return $rows;
    }

    /**
     * Calls a function in a transaction, which is committed when it returns and rolled back when it throws. Inside
     * another one it is a savepoint.
     *
     * @param callable(self): mixed $do
     * @return mixed what it returned
     * @throws \Throwable what it threw; a PgException when it cannot be committed
     */
    public function transaction(callable $do): mixed
    {
        [$begin, $commit, $rollBack] = $this->depth === 0 ? ['BEGIN', 'COMMIT', 'ROLLBACK'] : [
            "SAVEPOINT asyncpool_$this->depth",
            "RELEASE SAVEPOINT asyncpool_$this->depth",
            "ROLLBACK TO SAVEPOINT asyncpool_$this->depth",
        ];
        $this->query($begin);
        $this->depth++;
        try {
            $result = $do($this);
            if ($this->isOpen() && \pg_transaction_status($this->connection) === PGSQL_TRANSACTION_INERROR) {
                throw new PgException('A statement of the transaction has failed', '25P02'); // COMMIT would say nothing
            }
            $this->query($commit);
            return $result;
        } catch (\Throwable $error) {
            try {
                $this->isOpen() && $this->query($rollBack); // else the server does it
            } catch (\Throwable) {
                $this->close();
            }
            throw $error;
        } finally {
            $this->depth--;
        }
    }

    /** Can it still be used? */
    public function isOpen(): bool
    {
        return $this->connection !== null;
    }

    /** Is it open, without a transaction? As one that another may have. */
    public function isIdle(): bool
    {
        return $this->isOpen() && \pg_transaction_status($this->connection) === PGSQL_TRANSACTION_IDLE;
    }

    /** Ends it. What another coroutine asks on it is cancelled, and that gets an AsyncException. */
    public function close(): void
    {
        if ($this->connection === null) {
            return;
        }
        [$connection, $this->connection] = [$this->connection, null];
        \is_resource($this->socket) && \fclose($this->socket); // whoever waits must not look at it any more
        if ($this->isBusy) { // else the end would wait for the answer
            PgResults::quietly(static fn () => \pg_cancel_query($connection));
        }
        \pg_close($connection);
    }

    private function claim(): Connection
    {
        if ($this->connection === null) {
            throw new PgException('The connection is closed', '08003');
        } elseif ($this->isBusy) {
            throw new AsyncException('Another coroutine uses this connection: let a pool lend each one of its own');
        }
        $this->isBusy = true;
        return $this->connection;
    }

    /**
     * Sends something and takes the answer.
     *
     * @param \Closure(): (bool|int) $send
     * @return list<array<string, mixed>>
     */
    private function ask(\Closure $send): array
    {
        \stream_set_blocking($this->socket, true); // non-blocking: pgsql hands it to libpq the other way round
        $sent = PgResults::of($send, 'It cannot be sent');
        while ($sent === 0) {
            writable($this->socket);
            $sent = $this->on(\pg_flush(...));
        }
        $rows = [];
        $error = null;
        do {
            while ($this->on(\pg_connection_busy(...))) {
                readable($this->socket);
            }
            $result = $this->on(\pg_get_result(...));
            if ($result !== false) {
                $error ??= PgResults::error($result);
                $rows = $error === null ? PgResults::rows($result) : [];
                if (PgResults::isCopy($result)) {
                    $this->on(\pg_end_copy(...));
                }
            }
        } while ($result !== false);
        if ($this->on(\pg_connection_status(...)) !== PGSQL_CONNECTION_OK) {
            $error ??= $this->lost();
            $this->isBusy = false; // there is nothing to cancel
            $this->close();
        }
        return $error === null ? $rows : throw $error;
    }

    /** Calls a function with the connection, which somebody may have closed during a wait. */
    private function on(\Closure $function): mixed
    {
        $connection = $this->connection ?? throw new AsyncException('The connection was closed during a query');
        return PgResults::quietly(static fn () => $function($connection));
    }

    private function lost(): PgException
    {
        return new PgException(\trim(\pg_last_error($this->connection)), '08006');
    }
}
