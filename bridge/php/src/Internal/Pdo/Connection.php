<?php

declare(strict_types=1);

namespace Async\Internal\Pdo;

/**
 * A connection: what the pool of an Async\PDO lends. It knows when it is lost, and cleans itself when it comes back.
 */
final class Connection extends \PDO
{
    /** SQLSTATEs besides class 08 with which PostgreSQL ends a session. */
    private const PGSQL_ENDS = ['57P01', '57P02', '57P03', '57P04', '57P05', '25P03'];

    /** What the driver says where the server has said nothing. */
    private const PGSQL_NO_STATE = 'HY000';

    /** Gone away, lost in a query, lost at some point, ended while idle; MariaDB: killed; shutting down. */
    private const MYSQL_LOST = [2006, 2013, 2055, 4031, 1927, 1053];

    /** Drivers that know the id of the row inserted last by themselves, without a sequence's name. */
    private const KNOWS_INSERT_ID = ['sqlite', 'mysql'];

    /** What makes rows in MySQL, which its driver leaves unread after exec(): nothing else could be asked then. */
    private const MYSQL_ROWS = '/\b(?:SELECT|SHOW|CALL|WITH|VALUES|TABLE|EXPLAIN|DESC|DESCRIBE|CHECK|ANALYZE|OPTIMIZE'
        . '|REPAIR|CHECKSUM|HELP|RETURNING|EXECUTE|HANDLER)\b/i';

    /** No use any more. */
    public bool $lost = false;

    /** How much of the template it has been told, see {@see Template}. */
    public int $version = 0;

    /** The insert id that was seen last. */
    public string|false $insertId = '0';

    private readonly ?StatementCache $statements;

    /** Of an exec() that another call followed, or a statement made. @var array{string, ?int, ?string}|null */
    private ?array $execError = null;

    /**
     * @param int $cacheSize how many prepared statements are kept
     * @param array<int, mixed> $options
     */
    public function __construct(
        public readonly string $driver,
        int $cacheSize,
        string $dsn,
        ?string $username,
        #[\SensitiveParameter] ?string $password,
        array $options,
    ) {
        parent::__construct($dsn, $username, $password, $options);
        $this->statements = $cacheSize > 0 ? new StatementCache($this, $cacheSize) : null;
    }

    public function prepare(string $query, array $options = []): \PDOStatement|false
    {
        if ($this->statements?->isFor($options) !== true) {
            return parent::prepare($query, $options);
        }
        $prepared = $this->statements->take($query);
        if ($prepared === false) {
            return false;
        }
        $this->setAttribute(self::ATTR_EMULATE_PREPARES, true); // MySQL's driver ignores it among the options
        try {
            $statement = parent::prepare($query, [self::ATTR_STATEMENT_CLASS => [CachedStatement::class]]);
        } finally {
            $this->setAttribute(self::ATTR_EMULATE_PREPARES, false);
        }
        if ($statement !== false) {
            $statement->open(new Loan($this, $this->statements, $prepared));
        }

        return $statement;
    }

    /** A statement of the driver's own class, which the server prepares now. */
    public function prepareAnew(string $sql): \PDOStatement|false
    {
        return parent::prepare($sql, [self::ATTR_STATEMENT_CLASS => [\PDOStatement::class]]);
    }

    /** Does its driver know the id of the row that was inserted last, in whatever statement? */
    public static function knowsInsertId(string $driver): bool
    {
        return \in_array($driver, self::KNOWS_INSERT_ID, true);
    }

    /** They refer to their connection, so this is called when it goes, and when they are out of date. */
    public function forgetStatements(): void
    {
        $this->statements?->clear();
    }

    public function exec(string $statement): int|false
    {
        return $this->driver === 'mysql' && \preg_match(self::MYSQL_ROWS, $statement) === 1
            ? $this->execWithRows($statement)
            : parent::exec($statement);
    }

    /**
     * What errorInfo() says of the call just now. It is to be asked for once.
     *
     * @return array{string, ?int, ?string}
     */
    public function takeError(): array
    {
        $error = $this->execError ?? $this->errorInfo();
        $this->execError = null;

        return $error;
    }

    /**
     * Looks whether an error means that the connection is lost.
     *
     * @param array{string, ?int, ?string} $error as errorInfo() has it
     */
    public function examine(array $error): void
    {
        [$state, $code] = $error + ['', null];
        $this->lost = $this->lost || \str_starts_with((string) $state, '08') || match ($this->driver) {
            'pgsql' => \in_array($state, self::PGSQL_ENDS, true) || !$this->isOpen()
                || $state === self::PGSQL_NO_STATE && !$this->answers(),
            'mysql' => \in_array($code, self::MYSQL_LOST, true),
            default => false,
        };
        if ($this->lost) {
            $this->forgetStatements();
        }
    }

    /** Asks the server. */
    public function isAlive(): bool
    {
        return $this->safely(fn (): bool => $this->isOpen() && $this->query('SELECT 1')->fetchColumn() !== false);
    }

    /**
     * Makes it fit for the next borrower: nothing of a transaction is left. All statements of it are gone by now.
     *
     * @return bool false: it is of no more use
     */
    public function clean(?string $reset): bool
    {
        return !$this->lost && $this->isOpen() && $this->safely(function () use ($reset): bool {
            if ($this->inTransaction()) {
                $this->rollBack();
            } elseif ($this->driver === 'sqlite' && \PHP_VERSION_ID < 80400) {
                $this->endUnknownTransaction();
            }
            if ($reset !== null) {
                $this->forgetStatements(); // the server may, too
                $this->exec($reset);
                $this->driver === 'pgsql' && $this->forgetNotifications();
                $this->version = -1; // it may have undone attributes
            }

            return true;
        });
    }

    /** As exec(), which sends the text as it is: the server prepares no more than one statement. */
    private function execWithRows(string $sql): int|false
    {
        if ($this->getAttribute(self::ATTR_EMULATE_PREPARES)) {
            return $this->drain($this->query($sql));
        }
        $this->setAttribute(self::ATTR_EMULATE_PREPARES, true);
        try {
            return $this->drain($this->query($sql));
        } finally {
            $this->execError ??= $this->errorInfo();
            $this->setAttribute(self::ATTR_EMULATE_PREPARES, false);
        }
    }

    /** Those that came before UNLISTEN are with the client still. */
    private function forgetNotifications(): void
    {
        while ($this->pgsqlGetNotify() !== false) {
            // The next one.
        }
    }

    /** Leaves nothing unread; answers what exec() does. */
    private function drain(\PDOStatement|false $statement): int|false
    {
        if ($statement === false) {
            return false;
        }
        $count = $statement->columnCount() > 0 ? 0 : $statement->rowCount(); // of the first, as there
        try {
            while ($statement->nextRowset()) {
                // The next one.
            }
        } finally {
            $error = $statement->errorInfo();
            $hasFailed = $error[0] !== \PDO::ERR_NONE;
            $this->execError = $hasFailed ? $error : null;
            $statement->closeCursor();
        }

        return $hasFailed ? false : $count;
    }

    /** Before PHP 8.4 the driver knows only of transactions that were begun by beginTransaction(). */
    private function endUnknownTransaction(): void
    {
        try {
            $this->exec('BEGIN');
        } catch (\PDOException) {
            // There is one.
        }
        $this->exec('ROLLBACK');
    }

    /** Of a server that has gone without a word the client's side knows only when it is asked again. */
    private function answers(): bool
    {
        $this->safely(fn (): bool => parent::exec(';') !== false); // also in a transaction that has failed

        return $this->isOpen();
    }

    /** What the client's side knows, without asking the server. */
    private function isOpen(): bool
    {
        return $this->driver !== 'pgsql'
            || \str_starts_with((string) $this->getAttribute(self::ATTR_CONNECTION_STATUS), 'Connection OK');
    }

    /**
     * Does something that fails silently, whatever the user wants of errors.
     *
     * @param \Closure(): bool $body
     */
    public function safely(\Closure $body): bool
    {
        $mode = $this->getAttribute(self::ATTR_ERRMODE);
        $this->setAttribute(self::ATTR_ERRMODE, self::ERRMODE_EXCEPTION);
        try {
            return $body();
        } catch (\PDOException) {
            return false;
        } finally {
            $this->setAttribute(self::ATTR_ERRMODE, $mode);
        }
    }
}
