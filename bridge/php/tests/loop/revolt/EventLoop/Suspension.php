<?php

declare(strict_types=1);

namespace Revolt\EventLoop;

/**
 * Of a fiber, which it does not keep, or of {main}.
 */
final class Suspension
{
    private bool $pending = false;

    /** It was left without having been resumed: not to be used again. */
    private bool $dead = false;

    /** @var \WeakReference<\Fiber>|null */
    private ?\WeakReference $fiber;

    public function __construct(private readonly Driver $driver)
    {
        $fiber = \Fiber::getCurrent();
        $this->fiber = $fiber === null ? null : \WeakReference::create($fiber);
    }

    public function suspend(): mixed
    {
        if ($this->pending || $this->dead || $this->fiber?->get() !== \Fiber::getCurrent()) {
            throw new \Error('This suspension cannot be suspended now and here');
        }
        $this->pending = true;
        if ($this->fiber !== null) {
            return \Fiber::suspend();
        }
        $this->driver->run();
        if ($this->pending) {
            $this->pending = false;
            $this->dead = true;
            throw new \Error('Event loop terminated without resuming the current suspension');
        }
        return null;
    }

    public function resume(mixed $value = null): void
    {
        if (!$this->pending) {
            throw new \Error('Must call suspend() before calling resume()');
        }
        $this->pending = false;
        if ($this->fiber === null) {
            $this->driver->interrupt();
        } else {
            $fiber = $this->fiber->get();
            $this->driver->queue(static fn () => $fiber->resume($value));
        }
    }
}
