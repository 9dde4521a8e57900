<?php

/** @generate-class-entries */

namespace Async;

/**
 * What this package throws, but for errors of the caller and cancellations.
 */
class AsyncException extends \Exception
{
}

/**
 * The pool cannot do it: it is closed, its factory gave nothing, or what was given back is not its own.
 */
class PoolException extends AsyncException
{
}

/**
 * No resource became free within the timeout of {@see Pool::acquire()}.
 */
class TimeoutException extends PoolException
{
}

/**
 * As many stand in line for a resource as may: the pool's maxWaiting.
 */
class OverloadedException extends PoolException
{
}

/**
 * What a factory throws that has been told to wait: too many connections, a budget that is spent.
 *
 *     factory: fn() => $limit->allows() ? connect() : throw new TryLater(500, 'over the limit'),
 *
 * It is nobody's failure: the circuit breaker does not hear of it, whoever needs the resource waits on, first in line
 * as before, and no creation begins in this pool before the time is over. Whose own time is over by then is thrown it.
 * tryAcquire() answers null, and the creation of a pool, which cannot wait, fails with it.
 */
class TryLater extends PoolException
{
    public readonly int $ms;

    /**
     * @param int $ms milliseconds for which none begins; 0: the first in line asks again at once
     * @param string $message for a human
     *
     * @throws \ValueError when the time is out of range
     */
    public function __construct(int $ms, string $message = "", ?\Throwable $previous = null) {}
}

/**
 * The circuit breaker is open, or its probes are out: the service behind the pool is given up for now.
 */
class ServiceUnavailableException extends AsyncException
{
}

/**
 * The wait of a coroutine was ended by {@see Coroutine::cancel()}.
 *
 * An \Error, so that a catch of \Exception does not swallow it. A coroutine that ends with it is
 * cancelled; that is no failure, and nobody needs to await it.
 */
class AsyncCancellation extends \Error
{
}

/**
 * Nothing can run any more that could end this wait. The message says what else waited, and where.
 */
class DeadlockError extends \Error
{
}
