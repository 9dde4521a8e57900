<?php

declare(strict_types=1);

namespace Async\Internal\Pdo;

/**
 * What all connections of an Async\PDO have in common, and what they have been told of it.
 *
 * Attributes that are set and functions that are registered later are kept here. Each connection is told what it has
 * missed when it is lent: see update().
 */
final class Template
{
    /** @var array<int, mixed> as they were set, the last one last */
    private array $attributes = [];

    /** @var array<string, array{string, list<mixed>}> methods of the driver, and what they are called with */
    private array $functions = [];

    /** Counts the changes. */
    private int $version = 0;

    /** SQL was run: functions come too late. */
    private bool $frozen = false;

    public function __construct(public readonly Settings $settings)
    {
    }

    /** Remembers an attribute that $connection, which knows all others, has accepted. */
    public function set(int $attribute, mixed $value, Connection $connection): void
    {
        unset($this->attributes[$attribute]);
        $this->attributes[$attribute] = $value;
        $connection->version = ++$this->version;
        $connection->forgetStatements();
    }

    /**
     * Remembers a function, an aggregate or a collation for SQLite.
     *
     * @param string $method the driver's: sqliteCreateFunction, for one
     * @param string $key what it must not have in common with another
     * @param list<mixed> $arguments
     *
     * @throws \PDOException when there is one already, or it is too late
     */
    public function register(string $method, string $key, array $arguments): void
    {
        if ($this->frozen) {
            throw new \PDOException("$method() must be called before the first SQL: connections are in use already");
        }
        if (isset($this->functions[$key])) {
            throw new \PDOException("$method(): $key was registered already");
        }
        $this->functions[$key] = [$method, $arguments];
        $this->version++;
    }

    public function freeze(): void
    {
        $this->frozen = true;
    }

    /**
     * Tells a connection what it has missed.
     *
     * @throws \PDOException when it refuses: it is of no use then
     */
    public function update(Connection $connection): void
    {
        if ($connection->version === $this->version) {
            return;
        }
        $connection->lost = true; // unless all goes well
        foreach ($this->functions as [$method, $arguments]) {
            $connection->$method(...$arguments);
        }
        foreach ($this->attributes as $attribute => $value) {
            if ($attribute === \PDO::ATTR_AUTOCOMMIT && $connection->driver === 'mysql') {
                $connection->setAttribute($attribute, !$value); // it asks the server only for what it takes for a change
            }
            $connection->setAttribute($attribute, $value);
        }
        $connection->forgetStatements();
        $connection->lost = false;
        $connection->version = $this->version;
    }
}
