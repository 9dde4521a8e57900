<?php

declare(strict_types=1);

namespace Async;

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
    /**
     * @param int $ms milliseconds for which none begins; 0: the first in line asks again at once
     * @param string $message for a human
     *
     * @throws \ValueError when the time is out of range
     */
    public function __construct(public readonly int $ms, string $message = '', ?\Throwable $previous = null)
    {
        $fault = match (true) {
            $ms < 0 => '>= 0',
            $ms > 0xFFFFFFFF => '<= 4294967295',
            default => null,
        };
        if ($fault !== null) {
            throw new \ValueError(self::class . "::__construct(): Argument #1 (\$ms) must be $fault");
        }
        parent::__construct($message === '' ? "To be tried again in $ms ms" : $message, previous: $previous);
    }
}
