<?php

declare(strict_types=1);

namespace Async\Internal\Pdo;

/**
 * A prepared statement in the hands of a statement object: when that goes, it goes back to the cache, and then the
 * connection to its pool.
 */
final class Loan
{
    public ?Lease $lease = null;

    /** @var list<int|string> parameters that were bound meanwhile */
    public array $bound = [];

    /** Nothing was done to it that the next one would see. */
    public bool $isKept = true;

    public function __construct(
        private readonly Connection $connection,
        private readonly StatementCache $cache,
        public readonly Prepared $prepared,
    ) {
    }

    /** It has failed, and would not, prepared anew. In a transaction the server refuses all that follows. */
    public function mayRetry(): bool
    {
        return $this->prepared->isStale() && !$this->connection->inTransaction();
    }

    public function renew(): bool
    {
        $statement = $this->connection->prepareAnew($this->prepared->sql);
        if ($statement !== false) {
            $this->prepared->renew($statement);
        }

        return $statement !== false;
    }

    public function __destruct()
    {
        if ($this->connection->lost || !$this->isKept || $this->prepared->isStale()) {
            return;
        }
        $this->connection->safely(function (): bool { // one that cannot be cleaned is not kept
            $this->prepared->leave($this->bound);
            $this->cache->put($this->prepared);

            return true;
        });
    }
}
