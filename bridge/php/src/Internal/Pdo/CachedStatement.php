<?php

declare(strict_types=1);

namespace Async\Internal\Pdo;

use Async\PDOStatement;

/**
 * What a user has in place of a statement that is kept: all that is done to it is done to that one. It is an emulated
 * statement itself, of which the server knows nothing, and is never run.
 *
 * What was set up is remembered, so that a statement the server has to prepare anew is as the user left it.
 */
final class CachedStatement extends PDOStatement
{
    private Loan $loan;

    /** @var array<string, \Closure(\PDOStatement): mixed> what was bound and set, by what it replaces */
    private array $setUp = [];

    /** It was run: what it says of errors is of this use. */
    private bool $isUsed = false;

    public function open(Loan $loan): void
    {
        $this->loan = $loan;
    }

    /** The connection goes back when this goes, and not before. */
    public function keep(Lease $lease): void
    {
        $this->loan->lease = $lease;
    }

    public function execute(?array $params = null): bool
    {
        $loan = $this->loan;
        $this->isUsed = true;
        try {
            if ($params === null && $loan->prepared->hasOthers($loan->bound) && !$this->renew()) {
                return false;
            }
            try {
                $isDone = $loan->prepared->statement->execute($params);
            } catch (\PDOException $error) {
                if (!$loan->mayRetry()) {
                    throw $error;
                }
                $isDone = false;
            }

            return $isDone || $loan->mayRetry() && $this->renew() && $loan->prepared->statement->execute($params);
        } finally {
            foreach (\array_keys($params ?? []) as $key) { // in their place now
                $loan->bound[] = \is_int($key) ? $key + 1 : $key;
            }
            $loan->bound = \array_values(\array_unique($loan->bound));
            $loan->lease?->settle($this->queryString, $loan->prepared->statement);
        }
    }

    public function bindParam(
        int|string $param,
        mixed &$var,
        int $type = \PDO::PARAM_STR,
        int $maxLength = 0,
        mixed $driverOptions = null,
    ): bool {
        $this->loan->bound[] = $param;

        return $this->setUp("parameter $param", static function (\PDOStatement $statement) use (
            $param,
            &$var,
            $type,
            $maxLength,
            $driverOptions,
        ): bool {
            return $statement->bindParam($param, $var, $type, $maxLength, $driverOptions);
        });
    }

    public function bindValue(int|string $param, mixed $value, int $type = \PDO::PARAM_STR): bool
    {
        $this->loan->bound[] = $param;

        return $this->setUp(
            "parameter $param",
            static fn (\PDOStatement $statement): bool => $statement->bindValue($param, $value, $type),
        );
    }

    public function bindColumn(
        int|string $column,
        mixed &$var,
        int $type = \PDO::PARAM_STR,
        int $maxLength = 0,
        mixed $driverOptions = null,
    ): bool {
        $this->loan->isKept = false; // the next one's rows must not come here

        return $this->setUp("column $column", static function (\PDOStatement $statement) use (
            $column,
            &$var,
            $type,
            $maxLength,
            $driverOptions,
        ): bool {
            return $statement->bindColumn($column, $var, $type, $maxLength, $driverOptions);
        });
    }

    #[\ReturnTypeWillChange]
    public function setFetchMode(int $mode, mixed ...$args)
    {
        $this->loan->isKept = false;

        return $this->setUp(
            'fetch mode',
            static fn (\PDOStatement $statement): bool => $statement->setFetchMode($mode, ...$args),
        );
    }

    public function setAttribute(int $attribute, mixed $value): bool
    {
        $this->loan->isKept = false;

        return $this->setUp(
            "attribute $attribute",
            static fn (\PDOStatement $statement): bool => $statement->setAttribute($attribute, $value),
        );
    }

    public function getAttribute(int $name): mixed
    {
        return $this->loan->prepared->statement->getAttribute($name);
    }

    public function fetch(
        int $mode = \PDO::FETCH_DEFAULT,
        int $cursorOrientation = \PDO::FETCH_ORI_NEXT,
        int $cursorOffset = 0,
    ): mixed {
        try {
            $row = $this->loan->prepared->statement->fetch($mode, $cursorOrientation, $cursorOffset);

            return $this->seen($row);
        } finally {
            isset($row) && $row !== false || $this->settle();
        }
    }

    public function fetchAll(int $mode = \PDO::FETCH_DEFAULT, mixed ...$args): array
    {
        $this->loan->isKept = $this->loan->isKept && $args === []; // a statement remembers them

        try {
            return $this->loan->prepared->statement->fetchAll($mode, ...$args);
        } finally {
            $this->settle();
        }
    }

    public function fetchColumn(int $column = 0): mixed
    {
        try {
            return $value = $this->loan->prepared->statement->fetchColumn($column);
        } finally {
            isset($value) && $value !== false || $this->settle();
        }
    }

    public function fetchObject(?string $class = \stdClass::class, array $constructorArgs = []): object|false
    {
        try {
            return $row = $this->loan->prepared->statement->fetchObject($class, $constructorArgs);
        } finally {
            isset($row) && $row !== false || $this->settle();
        }
    }

    public function getIterator(): \Iterator
    {
        try {
            foreach ($this->loan->prepared->statement as $key => $row) {
                yield $key => $this->seen($row); // a generator keeps this statement
            }
        } finally {
            $this->settle();
        }
    }

    public function nextRowset(): bool
    {
        try {
            return $this->loan->prepared->statement->nextRowset();
        } finally {
            $this->settle();
        }
    }

    public function closeCursor(): bool
    {
        return $this->loan->prepared->statement->closeCursor();
    }

    public function columnCount(): int
    {
        return $this->loan->prepared->statement->columnCount();
    }

    public function rowCount(): int
    {
        return $this->loan->prepared->statement->rowCount();
    }

    public function getColumnMeta(int $column): array|false
    {
        return $this->loan->prepared->statement->getColumnMeta($column);
    }

    public function errorCode(): ?string
    {
        return $this->isUsed ? $this->loan->prepared->statement->errorCode() : parent::errorCode();
    }

    public function errorInfo(): array
    {
        return $this->isUsed ? Context::ownError($this->loan->prepared->statement->errorInfo()) : parent::errorInfo();
    }

    public function debugDumpParams(): ?bool
    {
        return $this->loan->prepared->statement->debugDumpParams();
    }

    /** @param \Closure(\PDOStatement): bool $do */
    private function setUp(string $what, \Closure $do): bool
    {
        $this->setUp[$what] = $do;

        return $do($this->loan->prepared->statement);
    }

    /** A lazy row reads from its statement as long as it lives: nobody else has that then, nor its connection. */
    private function seen(mixed $row): mixed
    {
        if ($row instanceof \PDORow) {
            $this->loan->isKept = false;
            $this->loan->lease?->keepFor($this->loan->prepared->statement);
        }

        return $row;
    }

    /** As {@see PDOStatement} does after what may have met the end of the connection. */
    private function settle(): void
    {
        $this->loan->lease?->settle('', $this->loan->prepared->statement);
    }

    /** Has the server prepare it anew. */
    private function renew(): bool
    {
        if (!$this->loan->renew()) {
            return false;
        }
        foreach ($this->setUp as $do) {
            $do($this->loan->prepared->statement);
        }

        return true;
    }
}
