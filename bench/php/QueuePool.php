<?php

declare(strict_types=1);

namespace Bench;

/** Fibers that are ready run in turn: as little of a scheduler as there can be. */
final class Turns
{
    private \SplQueue $ready;

    public function __construct()
    {
        $this->ready = new \SplQueue();
    }

    public function add(\Fiber $fiber): void
    {
        $this->ready->enqueue($fiber);
    }

    /** Lets all others that are ready have their turn. */
    public function pass(): void
    {
        $this->ready->enqueue(\Fiber::getCurrent());
        \Fiber::suspend();
    }

    public function run(): void
    {
        while (!$this->ready->isEmpty()) {
            $fiber = $this->ready->dequeue();
            $fiber->isStarted() ? $fiber->resume() : $fiber->start();
        }
    }
}

/**
 * The pool that an expert writes by hand: a queue of idle resources, a queue of fibers that wait. A release hands
 * the resource to the first of them, so nobody can take it in between. Fibers become ready in the order in which
 * they are granted a resource, so one queue of what was granted is enough.
 */
final class QueuePool
{
    private \SplQueue $idle;
    private \SplQueue $waiting;
    private \SplQueue $granted;

    public function __construct(private Turns $turns, callable $factory, int $size)
    {
        $this->idle = new \SplQueue();
        $this->waiting = new \SplQueue();
        $this->granted = new \SplQueue();
        for ($i = 0; $i < $size; $i++) {
            $this->idle->enqueue($factory());
        }
    }

    public function acquire(): mixed
    {
        if (!$this->idle->isEmpty()) {
            return $this->idle->dequeue();
        }
        $this->waiting->enqueue(\Fiber::getCurrent());
        \Fiber::suspend();

        return $this->granted->dequeue();
    }

    public function release(mixed $resource): void
    {
        if ($this->waiting->isEmpty()) {
            $this->idle->enqueue($resource);
            return;
        }
        $this->granted->enqueue($resource);
        $this->turns->add($this->waiting->dequeue());
    }
}
