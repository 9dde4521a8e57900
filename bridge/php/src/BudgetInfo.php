<?php

declare(strict_types=1);

namespace Async;

use Async\Internal\StrictProperties;

/**
 * How a budget stands, as far as this process knows: {@see RedisBudget::info()}.
 */
final class BudgetInfo
{
    use StrictProperties;

    public function __construct(
        /** Places that this process uses. */
        public readonly int $used,
        /** Leases that it holds. */
        public readonly int $leases,
        /** The smallest limit of all processes; where it is not this one's, another has a smaller one. */
        public readonly int $limit,
        /** Leases of all processes. */
        public readonly int $all,
        /** How many processes there are. */
        public readonly int $processes,
        /** Its place in line; 0: it does not stand there. */
        public readonly int $place,
        /** Milliseconds for which nothing is granted yet: Redis is new, or has lost all. */
        public readonly int $graceMs,
        /** Its leases have ended, since Redis could not be reached, or was not in time: it takes nothing new. */
        public readonly bool $expired,
        /** Why the last message failed; null: it did not. */
        public readonly ?string $error,
        /** Somebody in this process wants a place, in vain. */
        public readonly bool $wanted,
        /** Places that were taken. */
        public readonly int $granted,
        /** Places that were not to be had. */
        public readonly int $refused,
        /** Messages to Redis, each of which extends the leases. */
        public readonly int $renewals,
        /** Those that were not answered. */
        public readonly int $renewalsFailed,
        /** Milliseconds until the leases end, unless they are extended; 0: they have. */
        public readonly int $leftMs,
    ) {
    }
}
