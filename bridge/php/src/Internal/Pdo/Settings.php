<?php

declare(strict_types=1);

namespace Async\Internal\Pdo;

use Async\PDO;
use Async\PDOStatement;
use Async\Pool;

/**
 * What an Async\PDO was made with: checked, and parted into what each connection gets and what the pool gets.
 */
final class Settings
{
    /** Drivers that say what state a connection is in: whether it is in a transaction, or lost. */
    private const DRIVERS = ['sqlite', 'pgsql', 'mysql'];

    private const OWN = [
        PDO::ATTR_POOL_ENABLED,
        PDO::ATTR_POOL_MIN,
        PDO::ATTR_POOL_MAX,
        PDO::ATTR_POOL_HEALTHCHECK_INTERVAL,
        PDO::ATTR_POOL_STMT_CACHE_SIZE,
        PDO::ATTR_POOL_OPTIONS,
        PDO::ATTR_POOL_RESET,
    ];

    /** Arguments of the pool that are not the user's, and what is to be used. */
    private const TAKEN = [
        'factory' => 'the DSN says what is made',
        'min' => 'use Async\PDO::ATTR_POOL_MIN',
        'max' => 'use Async\PDO::ATTR_POOL_MAX',
        'healthcheckInterval' => 'use Async\PDO::ATTR_POOL_HEALTHCHECK_INTERVAL',
    ];

    public readonly string $driver;
    public readonly bool $pooled;
    public readonly int $min;
    public readonly int $max;

    /** Milliseconds; 0: none. */
    public readonly int $healthcheckInterval;

    /** How many prepared statements each connection keeps; 0: none. */
    public readonly int $cacheSize;

    /** SQL that is run on each connection that comes back. */
    public readonly ?string $reset;

    /** @var array<string, mixed> named arguments of the pool */
    public readonly array $poolOptions;

    /** Opens a connection. @var \Closure(): Connection */
    public readonly \Closure $connect;

    /**
     * @param array<int, mixed> $options
     *
     * @throws \PDOException when they make no sense together
     * @throws \ValueError for an option that the pool does not have
     */
    public function __construct(
        string $dsn,
        ?string $username,
        #[\SensitiveParameter] ?string $password,
        array $options,
    ) {
        $this->driver = $driver = self::driverOf($dsn);
        $this->pooled = (bool) ($options[PDO::ATTR_POOL_ENABLED] ?? true);
        $this->min = \max(0, (int) ($options[PDO::ATTR_POOL_MIN] ?? 0));
        $this->max = \max(1, $this->min, (int) ($options[PDO::ATTR_POOL_MAX] ?? 10));
        $this->healthcheckInterval = \max(0, (int) ($options[PDO::ATTR_POOL_HEALTHCHECK_INTERVAL] ?? 0));
        $this->cacheSize = \max(0, (int) ($options[PDO::ATTR_POOL_STMT_CACHE_SIZE] ?? 0));
        $this->reset = self::checkReset($options[PDO::ATTR_POOL_RESET] ?? '');
        $this->poolOptions = self::checkPoolOptions($options[PDO::ATTR_POOL_OPTIONS] ?? []);
        if ($this->pooled) {
            $this->checkPooled($dsn, $options);
        }

        $native = \array_diff_key($options, \array_flip(self::OWN));
        if (empty($native[PDO::ATTR_PERSISTENT])) { // PDO refuses the two together
            $native[PDO::ATTR_STATEMENT_CLASS] = self::checkStatementClass(
                $native[PDO::ATTR_STATEMENT_CLASS] ?? [PDOStatement::class],
            );
        }
        $size = $this->pooled ? $this->cacheSize : 0;
        $this->connect = (new Connector($driver, $size, $dsn, $username, $password, $native))->connect(...);
    }

    /** The pool of the connections: they are cleaned when they come back. */
    public function makePool(): Pool
    {
        $options = $this->poolOptions;
        $refuses = $options['beforeRelease'] ?? null;
        $destructs = $options['destructor'] ?? null;
        $reset = $this->reset;
        $options['beforeRelease'] = static fn (Connection $connection): bool => $connection->clean($reset)
            && ($refuses === null || $refuses($connection) !== false);
        $options['destructor'] = static function (Connection $connection) use ($destructs): void {
            $connection->forgetStatements();
            $destructs === null || $destructs($connection);
        };
        if ($this->healthcheckInterval > 0) {
            $options['healthcheck'] ??= static fn (Connection $connection): bool => $connection->isAlive();
        }

        return new Pool(
            ...$options,
            factory: $this->connect,
            min: $this->min,
            max: $this->max,
            healthcheckInterval: $this->healthcheckInterval,
        );
    }

    public static function isOwn(int $attribute): bool
    {
        return \in_array($attribute, self::OWN, true);
    }

    /**
     * The statements that PDO makes must be those that give their connection back.
     *
     * @throws \PDOException when they would not be
     */
    public static function checkStatementClass(mixed $value): mixed
    {
        $class = \is_array($value) ? $value[0] ?? null : null;
        if (\is_string($class) && \class_exists($class) && !\is_a($class, PDOStatement::class, true)) {
            throw new \PDOException("PDO::ATTR_STATEMENT_CLASS: $class must extend Async\\PDOStatement");
        }

        return $value; // whatever else is wrong PDO tells
    }

    /** The name before the colon. A DSN without one names a DSN of php.ini, as with PDO. */
    private static function driverOf(string $dsn): string
    {
        $driver = \strstr($dsn, ':', true);
        if ($driver === false) {
            $alias = \get_cfg_var("pdo.dsn.$dsn");
            $driver = \is_string($alias) ? \strstr($alias, ':', true) : false;
        } elseif ($driver === 'uri') {
            throw new \PDOException('A DSN of the form uri: is not supported: give what the file says');
        }
        if ($driver === false) {
            throw new \PDOException('Async\PDO::__construct(): Argument #1 ($dsn) must be a valid data source name');
        }
        if (!\in_array($driver, \PDO::getAvailableDrivers(), true)) {
            throw new \PDOException('could not find driver');
        }

        return $driver;
    }

    /** @param array<int, mixed> $options */
    private function checkPooled(string $dsn, array $options): void
    {
        $fault = match (true) {
            !\in_array($this->driver, self::DRIVERS, true)
                => "Driver \"$this->driver\" does not support Async\\PDO::ATTR_POOL_ENABLED: set it to false",
            !empty($options[PDO::ATTR_PERSISTENT])
                => 'Async\PDO::ATTR_POOL_ENABLED cannot be used with PDO::ATTR_PERSISTENT: leave out one of them',
            $this->driver === 'sqlite' && self::isPrivateMemory(\substr($dsn, \strlen('sqlite:')))
                => 'Each connection would have a memory database of its own: use a file, or '
                    . '"sqlite:file:NAME?mode=memory&cache=shared"',
            default => null,
        };
        if ($fault !== null) {
            throw new \PDOException($fault);
        }
    }

    private static function isPrivateMemory(string $file): bool
    {
        $query = \strstr($file, '?');

        return $file === '' || $file === ':memory:' || \str_starts_with($file, 'file:')
            && (\preg_match('/^file:(:memory:)?(\?|$)/', $file) === 1 || \str_contains((string) $query, 'mode=memory'))
            && !\str_contains((string) $query, 'cache=shared');
    }

    private static function checkReset(mixed $sql): ?string
    {
        if (!\is_string($sql)) {
            throw new \ValueError('Async\PDO::ATTR_POOL_RESET must be a string of SQL');
        }

        return \trim($sql) === '' ? null : $sql;
    }

    /** @return array<string, mixed> */
    private static function checkPoolOptions(mixed $options): array
    {
        if (!\is_array($options)) {
            throw new \ValueError('Async\PDO::ATTR_POOL_OPTIONS must be an array of named arguments of Async\Pool');
        }
        $known = \array_map(
            static fn (\ReflectionParameter $parameter): string => $parameter->getName(),
            (new \ReflectionMethod(Pool::class, '__construct'))->getParameters(),
        );
        foreach ($options as $name => $_) {
            if (isset(self::TAKEN[$name])) {
                throw new \ValueError("Async\\PDO::ATTR_POOL_OPTIONS must not have \"$name\": " . self::TAKEN[$name]);
            }
            if (!\in_array($name, $known, true)) {
                throw new \ValueError("Async\\PDO::ATTR_POOL_OPTIONS has \"$name\", which Async\\Pool does not know");
            }
        }

        return $options;
    }
}
