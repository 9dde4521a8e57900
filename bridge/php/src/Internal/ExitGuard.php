<?php

declare(strict_types=1);

namespace Async\Internal;

/**
 * Tells that exit() has left the frame in which it lies. No finally block runs then, but destructors do. So they do
 * when the collector takes a fiber that will never go on, in any order, and from elsewhere: that is no exit.
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

    /** The fiber of that frame, which must be free to go; of the main flow this. */
    private readonly \WeakReference $flow;

    /** @param \Closure(): void $onExit */
    public function __construct(private readonly \Closure $onExit)
    {
        $this->flow = \WeakReference::create(\Fiber::getCurrent() ?? $this);
    }

    public function __destruct()
    {
        if (!$this->isPassed && $this->flow->get() === (\Fiber::getCurrent() ?? $this)) {
            ($this->onExit)();
        }
    }
}
