<?php

declare(strict_types=1);

namespace Async;

use Async\Internal\Pdo\Context;
use Async\Internal\Pdo\Lease;

/**
 * A statement of an {@see PDO}. Whoever has it has its connection: that goes back when the last statement goes.
 *
 * It is the driver's own statement, so all that is fetched, bound and iterated is as with PDO. It belongs to the
 * context that has prepared it, and works on that context's connection, in its transaction, whoever uses it.
 */
class PDOStatement extends \PDOStatement
{
    public function execute(?array $params = null): bool
    {
        $lease = Lease::of($this);
        try {
            return parent::execute($params);
        } finally {
            $lease?->settle($this->queryString, $this);
        }
    }

    public function nextRowset(): bool
    {
        $lease = Lease::of($this);
        try {
            return parent::nextRowset();
        } finally {
            $lease?->settle('', $this);
        }
    }

    public function fetch(
        int $mode = \PDO::FETCH_DEFAULT,
        int $cursorOrientation = \PDO::FETCH_ORI_NEXT,
        int $cursorOffset = 0,
    ): mixed {
        try {
            return $row = parent::fetch($mode, $cursorOrientation, $cursorOffset);
        } finally {
            isset($row) && $row !== false || $this->settle();
        }
    }

    public function fetchAll(int $mode = \PDO::FETCH_DEFAULT, mixed ...$args): array
    {
        try {
            return parent::fetchAll($mode, ...$args);
        } finally {
            $this->settle();
        }
    }

    public function fetchColumn(int $column = 0): mixed
    {
        try {
            return $value = parent::fetchColumn($column);
        } finally {
            isset($value) && $value !== false || $this->settle();
        }
    }

    public function fetchObject(?string $class = \stdClass::class, array $constructorArgs = []): object|false
    {
        try {
            return $row = parent::fetchObject($class, $constructorArgs);
        } finally {
            isset($row) && $row !== false || $this->settle();
        }
    }

    public function getIterator(): \Iterator
    {
        try {
            foreach (parent::getIterator() as $key => $row) {
                yield $key => $row; // a generator keeps this statement
            }
        } finally {
            $this->settle();
        }
    }

    public function errorInfo(): array
    {
        return Context::ownError(parent::errorInfo());
    }

    /** Rows that are not buffered may not come: the connection may be lost. */
    private function settle(): void
    {
        Lease::of($this)?->settle('', $this);
    }
}
