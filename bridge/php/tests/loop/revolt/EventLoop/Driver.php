<?php

declare(strict_types=1);

namespace Revolt\EventLoop;

final class Driver
{
    /** @var \SplQueue<\Closure> */
    private \SplQueue $queue;

    /** @var \SplQueue<\Closure> the callbacks of this tick */
    private \SplQueue $callbacks;

    /** @var array<string, array{float, \Closure, bool}> when, what, referenced */
    private array $timers = [];

    /** @var array<string, \Closure> for the next tick */
    private array $deferred = [];

    private string $next = 'a';

    /** How often something was queued. */
    private int $queued = 0;

    private bool $running = false;
    private bool $interrupted = false;

    public function __construct()
    {
        $this->queue = new \SplQueue();
        $this->callbacks = new \SplQueue();
    }

    /** Returns when nothing referenced is left, or {main} was resumed. */
    public function run(): void
    {
        if ($this->running || \Fiber::getCurrent() !== null) {
            throw new \Error('The event loop runs already, or this is a fiber');
        }
        $this->running = true;
        $this->interrupted = false;
        try {
            $this->work();
            while (!$this->interrupted && !$this->isEmpty()) {
                $this->tick();
                $this->work();
            }
        } finally {
            $this->running = false;
        }
    }

    /** {main} goes on once the callback that runs has returned or suspended. */
    public function interrupt(): void
    {
        $this->interrupted = true;
    }

    public function isRunning(): bool
    {
        return $this->running;
    }

    public function queue(\Closure $closure): void
    {
        $this->queued++;
        $this->queue->enqueue($closure);
    }

    public function defer(\Closure $closure): string
    {
        $id = $this->next++;
        $this->deferred[$id] = static fn () => $closure($id);
        return $id;
    }

    public function delay(float $delay, \Closure $closure): string
    {
        $id = $this->next++;
        $this->timers[$id] = [self::now() + $delay, static fn () => $closure($id), true];
        return $id;
    }

    public function cancel(string $id): void
    {
        unset($this->timers[$id], $this->deferred[$id]);
    }

    public function unreference(string $id): string
    {
        $this->timers[$id][2] = false;
        return $id;
    }

    private function isEmpty(): bool
    {
        return $this->deferred === []
            && array_filter($this->timers, static fn (array $timer): bool => $timer[2]) === [];
    }

    /**
     * Has called what was deferred, or sleeps until something is due. The collector may come at every call. As in
     * Revolt, what is deferred by what it destroys is lost here; what is queued is not.
     */
    private function tick(): void
    {
        $queued = $this->queued;
        $us = $this->queue->isEmpty() && $this->deferred === []
            ? (int) ((min(array_column($this->timers, 0)) - self::now()) * 1e6)
            : 0;
        foreach ($this->deferred as $closure) {
            $this->callbacks->enqueue($closure);
        }
        $this->deferred = [];
        if ($us > 0 && $queued === $this->queued) {
            usleep($us);
        }
        $now = self::now();
        $due = array_filter($this->timers, static fn (array $timer): bool => $timer[0] <= $now);
        uasort($due, static fn (array $a, array $b): int => $a[0] <=> $b[0]);
        foreach ($due as $id => [, $closure]) {
            if (isset($this->timers[$id])) {
                unset($this->timers[$id]);
                $this->callbacks->enqueue($closure);
            }
        }
    }

    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    /** Calls callbacks, in the same fiber as long as none of them suspends it. */
    private function work(): void
    {
        while (!$this->interrupted && !($this->queue->isEmpty() && $this->callbacks->isEmpty())) {
            $worker = new \Fiber(function (): void {
                while (!$this->interrupted && !($this->queue->isEmpty() && $this->callbacks->isEmpty())) {
                    ($this->queue->isEmpty() ? $this->callbacks : $this->queue)->dequeue()();
                }
            });
            $worker->start();
        }
    }
}
