<?php

declare(strict_types=1);

namespace Async;

use Async\Internal\Pdo\Connection;
use Async\Internal\Pdo\Contexts;
use Async\Internal\Pdo\DriverMethods;
use Async\Internal\Pdo\Settings;
use Async\Internal\Pdo\Template;

/**
 * A PDO that every coroutine may use: each has a connection of its own, which comes from a pool and goes back to it.
 *
 *     $pdo = new Async\PDO('pgsql:host=localhost', 'user', 'password', [Async\PDO::ATTR_POOL_MAX => 8]);
 *
 * A context is a coroutine, a fiber that somebody else has made, or the main flow of the script. It has at most one
 * connection, and keeps it while a statement of it lives, while it is in a transaction, and between pin() and unpin();
 * otherwise each call takes one and gives it back. The object itself is never connected.
 */
class PDO extends \PDO
{
    /** Are connections pooled? True unless it is said otherwise; false: this is a PDO with one connection for all. */
    public const ATTR_POOL_ENABLED = 900;

    /** How many connections are made up front; 0 by default. */
    public const ATTR_POOL_MIN = 901;

    /** How many there are at most; 10 by default. */
    public const ATTR_POOL_MAX = 902;

    /** Milliseconds between two looks after the idle ones; 0, the default: none. */
    public const ATTR_POOL_HEALTHCHECK_INTERVAL = 903;

    /**
     * How many prepared statements each connection keeps for the next who prepares the same text; 0 by default. They
     * are those that the server prepares: PostgreSQL's, and MySQL's without ATTR_EMULATE_PREPARES.
     */
    public const ATTR_POOL_STMT_CACHE_SIZE = 910;

    /** Named arguments of {@see Pool}, besides those above: an array. Its hooks are given the connection, a \PDO. */
    public const ATTR_POOL_OPTIONS = 911;

    /** SQL that is run on each connection that comes back, after the rollback: 'DISCARD ALL', for one. */
    public const ATTR_POOL_RESET = 912;

    private readonly Template $template;
    private readonly ?Pool $pool;
    private readonly Contexts $contexts;

    /**
     * Connects ATTR_POOL_MIN times. Everything else is as with PDO; the options are each connection's.
     *
     * @param array<int, mixed>|null $options
     *
     * @throws \PDOException for a wrong DSN, for options that exclude each other, and when it cannot connect
     * @throws \ValueError for ATTR_POOL_OPTIONS that the pool does not know
     */
    public function __construct(
        string $dsn,
        ?string $username = null,
        #[\SensitiveParameter] ?string $password = null,
        ?array $options = null,
    ) {
        $settings = new Settings($dsn, $username, $password, $options ?? []);
        $this->template = new Template($settings);
        $this->pool = $settings->pooled ? $settings->makePool() : null;
        $this->contexts = new Contexts($this->template, $this->pool);
    }

    /** As new: PHP 8.4 has it for the sake of \PDO's own descendants. */
    public static function connect(
        string $dsn,
        ?string $username = null,
        #[\SensitiveParameter] ?string $password = null,
        ?array $options = null,
    ): static {
        return new static($dsn, $username, $password, $options);
    }

    /** The pool; it lends connections, each a \PDO. Null without ATTR_POOL_ENABLED. */
    public function getPool(): ?Pool
    {
        return $this->pool;
    }

    /**
     * Keeps the connection for this context until unpin(), or until the context ends: for what belongs to a session, as
     * temporary tables, locks and LISTEN.
     */
    public function pin(): void
    {
        $this->contexts->current()->pin($this->contexts->lease());
    }

    /** Ends what pin() began. Without a pool the one connection stays. */
    public function unpin(): void
    {
        if ($this->pool !== null) {
            $this->contexts->current()->unpin();
        }
    }

    public function prepare(string $query, array $options = []): \PDOStatement|false
    {
        if (isset($options[self::ATTR_STATEMENT_CLASS])) {
            Settings::checkStatementClass($options[self::ATTR_STATEMENT_CLASS]);
        }

        return $this->run('prepare', $query, $options);
    }

    public function query(string $query, ?int $fetchMode = null, mixed ...$fetchModeArgs): \PDOStatement|false
    {
        return $this->run('query', $query, $fetchMode, ...$fetchModeArgs);
    }

    public function exec(string $statement): int|false
    {
        return $this->run('exec', $statement);
    }

    public function beginTransaction(): bool
    {
        return $this->run('beginTransaction');
    }

    public function commit(): bool
    {
        return $this->endTransaction('commit');
    }

    public function rollBack(): bool
    {
        return $this->endTransaction('rollBack');
    }

    /** Is this context in a transaction, begun by whatever means? With SQLite before PHP 8.4: by beginTransaction(). */
    public function inTransaction(): bool
    {
        return $this->contexts->current()->lease()?->connection->inTransaction() ?? false;
    }

    /**
     * The id of the row that this context has inserted last. With PostgreSQL false, unless it has a connection: in a
     * transaction, while a statement lives, or pinned.
     */
    public function lastInsertId(?string $name = null): string|false
    {
        $context = $this->contexts->current();
        if (Connection::knowsInsertId($this->template->settings->driver)) {
            return $context->insertId;
        }

        return $context->lease() === null ? false : $this->call('lastInsertId', $name);
    }

    public function quote(string $string, int $type = self::PARAM_STR): string|false
    {
        return $this->call('quote', $string, $type);
    }

    /** SQLSTATE of this context's last call. */
    public function errorCode(): ?string
    {
        return $this->contexts->current()->error[0];
    }

    /** SQLSTATE, the driver's code and its text, of this context's last call; also after the connection went back. */
    public function errorInfo(): array
    {
        return $this->contexts->current()->error;
    }

    public function getAttribute(int $attribute): mixed
    {
        $settings = $this->template->settings;
        if (!Settings::isOwn($attribute)) {
            return $attribute === self::ATTR_DRIVER_NAME ? $settings->driver : $this->call('getAttribute', $attribute);
        }

        return match ($attribute) {
            self::ATTR_POOL_ENABLED => $settings->pooled,
            self::ATTR_POOL_MIN => $settings->pooled ? $settings->min : false,
            self::ATTR_POOL_MAX => $settings->pooled ? $settings->max : false,
            default => throw self::unsupported('This attribute of the pool can only be given to the constructor'),
        };
    }

    /** Sets it for the connections of all contexts: each is told when it is lent next. */
    public function setAttribute(int $attribute, mixed $value): bool
    {
        if (Settings::isOwn($attribute)) {
            throw self::unsupported('Attributes of the pool can only be given to the constructor');
        }
        if ($attribute === self::ATTR_PERSISTENT && $value && $this->pool !== null) {
            throw self::unsupported('PDO::ATTR_PERSISTENT cannot be used with Async\PDO: the pool keeps connections');
        }
        if ($attribute === self::ATTR_STATEMENT_CLASS) {
            Settings::checkStatementClass($value);
        }
        $lease = $this->contexts->lease();
        try {
            $isSet = $lease->connection->setAttribute($attribute, $value);
            if ($isSet) {
                $this->template->set($attribute, $value, $lease->connection);
            }

            return $isSet;
        } finally {
            $lease->settle('');
        }
    }

    /**
     * The methods that the drivers add to PDO, by their names in PHP 8.4 as well.
     *
     * @param list<mixed> $arguments
     */
    public function __call(string $name, array $arguments): mixed
    {
        return DriverMethods::call($this->template, $this->contexts->current(), $name, $arguments, $this->call(...));
    }

    /** What was made goes with the PDO; connections that are in use go when they come back. */
    public function __destruct()
    {
        try {
            isset($this->pool) && $this->pool->close();
        } catch (PoolException) {
            // In a forked child, where the pool is its parent's.
        }
    }

    public function __debugInfo(): array
    {
        return ['driver' => $this->template->settings->driver, 'pool' => $this->pool];
    }

    private static function unsupported(string $text): \PDOException
    {
        $error = new \PDOException("SQLSTATE[IM001]: Driver does not support this function: $text");
        $error->errorInfo = ['IM001', 0, $text];

        return $error;
    }

    /** Calls what runs SQL. */
    private function run(string $method, mixed ...$arguments): mixed
    {
        $this->template->freeze();

        return $this->call($method, ...$arguments);
    }

    /** A transaction that was lost with its connection is over. */
    private function endTransaction(string $method): bool
    {
        if (!$this->inTransaction()) {
            throw new \PDOException('There is no active transaction');
        }

        return $this->call($method);
    }

    /**
     * Calls a method of the context's connection. The lease is nobody's argument: traces of exceptions would keep it.
     */
    private function call(string $method, mixed ...$arguments): mixed
    {
        $lease = $this->contexts->lease();
        try {
            $result = $lease->connection->$method(...$arguments);
            if ($result instanceof \PDOStatement) {
                $lease->keepFor($result);
            }

            return $result;
        } finally {
            $lease->settle(\in_array($method, ['exec', 'query'], true) ? $arguments[0] : '');
        }
    }
}
