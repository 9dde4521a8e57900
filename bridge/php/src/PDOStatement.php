<?php

declare(strict_types=1);

namespace Async;

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
}
