<?php

/** @generate-class-entries */

namespace Async;

/**
 * How many resources there may be, for several pools, or processes: {@see RedisBudget} is one.
 *
 * A pool asks it before it makes a resource, and tells it when one is gone. What is detached keeps its place until its
 * owner calls give().
 */
interface Budget
{
    /**
     * Takes a place: the pool is about to call its factory.
     *
     * @param Pool $pool who asks; a budget that wants places back may call its trim()
     * @param int|null $timeLeft milliseconds that are left to who needs the resource; null: there is no deadline
     *
     * @throws TryLater when there is none: who needs the resource waits on, as when a factory throws it
     */
    public function take(Pool $pool, ?int $timeLeft): void;

    /**
     * Gives a place back: a resource was destroyed, or the factory has made none. It must not throw.
     */
    public function give(): void;

    /**
     * Does what is due, which is mostly nothing: pools call it with each acquire and with each release. It must not throw.
     */
    public function beat(): void;
}
