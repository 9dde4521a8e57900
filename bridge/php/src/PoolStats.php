<?php

declare(strict_types=1);

namespace Async;

use Async\Internal\StrictProperties;

/**
 * What has happened in a pool since it was made, and some of what is so now: {@see Pool::stats()}.
 *
 * All of one instant, and exact: $created is $destroyed + $detached + $count. A histogram has a bucket for what took
 * less than a microsecond, then one for each power of two: bucket i counts what took 2 ** (i - 1) microseconds and
 * more, up to 2 ** i; the last has all above.
 */
final class PoolStats
{
    use StrictProperties;

    /** Resources handed out. */
    public readonly int $lends;

    /** Of these, to callers who had stood in line. */
    public readonly int $waited;

    /** Acquires that ran out of time. */
    public readonly int $timeouts;

    /** Acquires that an open circuit breaker refused. */
    public readonly int $unavailable;

    /** Acquires that found the line full. */
    public readonly int $overloaded;

    /** Acquires that were cancelled, or told of a deadlock. */
    public readonly int $cancelled;

    /** Creations that succeeded, for whomever. */
    public readonly int $created;

    /** Creations that failed; what was put off by TryLater is none. */
    public readonly int $failed;

    /** Taken out by detach(). */
    public readonly int $detached;

    /** The sum of the reasons below. */
    public readonly int $destroyed;

    /** Now: resources that there are, idle or active. */
    public readonly int $count;

    /** Now: resources that the factory is making. */
    public readonly int $making;

    /** Refused by beforeAcquire. */
    public readonly int $destroyedRejected;

    /** Refused by beforeRelease. */
    public readonly int $destroyedRefused;

    /** Found dead by the healthcheck. */
    public readonly int $destroyedDead;

    /** Too old: maxLifetime. */
    public readonly int $destroyedLifetime;

    /** Idle for too long: idleTimeout. */
    public readonly int $destroyedIdle;

    /** Used up: maxUses. */
    public readonly int $destroyedUses;

    /** Evicted. */
    public readonly int $destroyedEvicted;

    /** Discarded. */
    public readonly int $destroyedDiscarded;

    /** Too many after resize(), or by trim(). */
    public readonly int $destroyedShrunk;

    /** The pool was closed, or drained. */
    public readonly int $destroyedClosed;

    /** Lends that lasted longer than leakAfter; each counts once. */
    public readonly int $leaked;

    /** The most that activeCount() has been. */
    public readonly int $peakActive;

    /** The most that waitingCount() has been. */
    public readonly int $peakWaiting;

    /** Microseconds in line, of the lends that $waited counts, together. */
    public readonly int $waitUs;

    /** Microseconds that the creations took that $created counts, together. */
    public readonly int $createUs;

    /** Microseconds that what came back had been lent for, together; noted by pools with timed. */
    public readonly int $holdUs;

    /** @var list<int> its sum is $waited */
    public readonly array $waitHistogram;

    /** @var list<int> its sum is $created */
    public readonly array $createHistogram;

    /** @var list<int> its sum is the lends that have ended, about */
    public readonly array $holdHistogram;

    /**
     * @internal but for tests: a pool makes it
     *
     * @param array<string, int|list<int>> $counts by the names of the properties
     */
    public function __construct(array $counts)
    {
        foreach ($counts as $name => $count) {
            $this->$name = $count;
        }
    }
}
