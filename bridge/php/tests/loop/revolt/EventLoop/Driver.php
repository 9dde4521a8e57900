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

    private string $next = 'a';
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
            while (!$this->interrupted && array_filter($this->timers, static fn (array $timer): bool => $timer[2])) {
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
        $this->queue->enqueue($closure);
    }

    public function delay(float $delay, \Closure $closure): string
    {
        $id = $this->next++;
        $this->timers[$id] = [$delay < 0 ? 0.0 : self::now() + $delay, static fn () => $closure($id), true];
        return $id;
    }

    public function cancel(string $id): void
    {
        unset($this->timers[$id]);
    }

    public function unreference(string $id): string
    {
        $this->timers[$id][2] = false;
        return $id;
    }

    /** Sleeps until something is due; deferred callbacks are at once, in order. */
    private function tick(): void
    {
        $first = min(array_column($this->timers, 0));
        usleep((int) max(0, ($first - self::now()) * 1e6));
        $now = self::now();
        uasort($this->timers, static fn (array $a, array $b): int => $a[0] <=> $b[0]);
        foreach ($this->timers as $id => [$when, $closure]) {
            if ($when <= $now) {
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
