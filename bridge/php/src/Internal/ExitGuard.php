<?php

declare(strict_types=1);

namespace Async\Internal;

/**
 * Tells that exit() has left the frame in which it lies. No finally block runs then, but destructors do:
 *
 *     $guard = new ExitGuard($onExit);
 *     try {
 *         ...
 *     } finally {
 *         $guard->isPassed = true;
 *     }
 */
final class ExitGuard
{
    /** The frame was left in another way. */
    public bool $isPassed = false;

    /** @param \Closure(): void $onExit */
    public function __construct(private readonly \Closure $onExit)
    {
    }

    public function __destruct()
    {
        $this->isPassed || ($this->onExit)();
    }
}
