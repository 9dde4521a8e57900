<?php

declare(strict_types=1);

namespace Async\Internal\Pdo;

use Async\PDOStatement;

/**
 * The prepared statements of one connection that nobody uses, by their text: the server knows them still. Whoever takes
 * one has it alone; it comes back when its statement object goes, see {@see Prepared}.
 *
 * They refer to their connection, and it to them: somebody must call clear() when it goes.
 */
final class StatementCache
{
    /** The one that came back last is last. @var array<string, Prepared> */
    private array $idle = [];

    /** Counts the clearings: what was prepared before one is out of date, also what was in use then. */
    private int $generation = 0;

    public function __construct(private readonly Connection $connection, private readonly int $size)
    {
    }

    /**
     * Is a statement that is prepared now to be kept? SQLite's cost nothing, and of emulated ones the server knows
     * nothing. What else the user wants of it, the next one would have, too.
     *
     * @param array<int, mixed> $options
     */
    public function isFor(array $options): bool
    {
        return $options === [] && match ($this->connection->driver) {
            'pgsql' => !$this->connection->getAttribute(\PDO::PGSQL_ATTR_DISABLE_PREPARES),
            'mysql' => true,
            default => false,
        } && !$this->connection->getAttribute(\PDO::ATTR_EMULATE_PREPARES)
            && $this->connection->getAttribute(\PDO::ATTR_STATEMENT_CLASS)[0] === PDOStatement::class;
    }

    /** One for this text, with what the server makes of it; false: it refuses, silently. */
    public function take(string $sql): Prepared|false
    {
        $prepared = $this->idle[$sql] ?? null;
        unset($this->idle[$sql]);
        if ($prepared !== null) {
            return $prepared;
        }
        $statement = $this->connection->prepareAnew($sql);

        return $statement === false ? false : new Prepared($sql, $this->generation, $statement);
    }

    /** Keeps one for the next; what was used least lately goes. */
    public function put(Prepared $prepared): void
    {
        if ($prepared->generation !== $this->generation) {
            return;
        }
        unset($this->idle[$prepared->sql]);
        $this->idle[$prepared->sql] = $prepared;
        if (\count($this->idle) > $this->size) {
            unset($this->idle[\array_key_first($this->idle)]);
        }
    }

    public function clear(): void
    {
        $this->generation++;
        $this->idle = [];
    }
}
