<?php

declare(strict_types=1);

namespace Async\Internal\Pdo;

/**
 * A statement that the server has prepared, and what is left in it of those who had it.
 */
final class Prepared
{
    /** PostgreSQL: its result has changed, or the server has forgotten it. */
    private const PGSQL_STALE = ['0A000', '26000'];

    /** Unknown to the server, to be prepared anew, or with another number of columns. */
    private const MYSQL_STALE = [1243, 1615, 2057];

    /** Parameters that those before have bound. @var array<int|string, true> */
    private array $left = [];

    /** @param int $generation of the cache, when it was prepared first */
    public function __construct(
        public readonly string $sql,
        public readonly int $generation,
        public \PDOStatement $statement,
    ) {
    }

    /**
     * Nothing that was bound must be seen by the next: values are let go, and their names are remembered.
     *
     * @param list<int|string> $bound
     */
    public function leave(array $bound): void
    {
        $this->statement->closeCursor();
        foreach ($bound as $parameter) {
            $this->left[\ltrim((string) $parameter, ':')] = true;
            $this->statement->bindValue($parameter, null);
        }
    }

    /**
     * Would it run with a parameter that was bound by somebody before, and not now? PDO would refuse to run it at all.
     *
     * @param list<int|string> $bound
     */
    public function hasOthers(array $bound): bool
    {
        $own = \array_map(static fn (int|string $parameter): string => \ltrim((string) $parameter, ':'), $bound);

        return \array_diff_key($this->left, \array_flip($own)) !== [];
    }

    /** Has it failed because the server must prepare it anew? */
    public function isStale(): bool
    {
        [$state, $code] = $this->statement->errorInfo() + ['', null];

        return \in_array($state, self::PGSQL_STALE, true) || \in_array($code, self::MYSQL_STALE, true);
    }

    /** As it was made just now. */
    public function renew(\PDOStatement $statement): void
    {
        $this->statement = $statement;
        $this->left = [];
    }
}
