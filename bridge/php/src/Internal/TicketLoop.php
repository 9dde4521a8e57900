<?php

declare(strict_types=1);

namespace Async\Internal;

use Async\DeadlockError;

/**
 * What the loops have in common: who waits with which ticket, and how that ends.
 */
abstract class TicketLoop implements Loop
{
    /** Fibers that wait or have not started yet, but for those in the background: they keep the script alive. */
    protected int $alive = 0;

    /** @var array<int, Wait> by ticket */
    private array $waits = [];

    /** @var \WeakMap<\Fiber, Flow> */
    private \WeakMap $flows;

    private Flow $main;

    private int $last = 0;

    /** The last ticket, until its flow waits; 0: it does. */
    private int $open = 0;

    public function __construct()
    {
        $this->flows = new \WeakMap();
        $this->main = new Flow(0);
    }

    public function ticket(): int
    {
        return $this->open = ++$this->last;
    }

    public function resume(int $ticket, mixed $value = null): void
    {
        $wait = $this->waits[$ticket] ?? $this->find($ticket);
        if ($wait !== null && !$wait->resumed) {
            $wait->resumed = true;
            $wait->value = $value;
            if ($wait->parked) {
                $this->wake($wait);
            }
        }
    }

    public function throw(int $ticket, \Throwable $error): void
    {
        $wait = $this->find($ticket);
        if ($wait !== null) {
            $wait->error ??= $error;
            $this->resume($ticket);
        }
    }

    public function interrupt(?\Fiber $fiber, \Throwable $error): void
    {
        $flow = $fiber === null ? $this->main : $this->flow($fiber);
        if ($flow->wait === null) {
            $flow->interrupt ??= $error;
        } else {
            $this->fail($flow->wait, $error);
        }
    }

    public function suspend(
        int $ticket,
        int $untilNs = self::NEVER,
        ?\Stringable $for = null,
        bool $follows = false,
    ): mixed {
        $fiber = \Fiber::getCurrent();
        $flow = $fiber === null ? $this->main : $this->flows[$fiber] ?? $this->flow($fiber);
        // The main flow may wait in a signal handler while it waits below it, if no fiber must run for that.
        $outer = $flow->wait;

        $wait = $this->waits[$ticket] ??= new Wait();
        $wait->fiber = $fiber;
        $wait->for = $for;
        $wait->follows = $follows;
        $wait->parked = true;
        $flow->wait = $wait;
        $this->open = 0;
        $this->alive += $flow->alive;
        try {
            if ($wait->resumed) {
                $this->wake($wait);
            }
            if ($flow->interrupt !== null) {
                $this->fail($wait, $flow->interrupt);
                $flow->interrupt = null;
            }
            $this->wait($wait, $ticket, $untilNs);
        } finally {
            $this->alive -= $flow->alive;
            $flow->wait = $outer;
            $wait->parked = false;
            unset($this->waits[$ticket]);
        }
        return $wait->error === null ? $wait->value : throw $wait->error;
    }

    public function spawn(\Closure $body, bool $background = false): void
    {
        $flow = new Flow($background ? 0 : 1);
        $this->alive += $flow->alive;
        $this->start(function () use ($body, $flow): void {
            $this->alive -= $flow->alive;
            $fiber = \Fiber::getCurrent();
            $this->flows[$fiber] = $flow;
            try {
                $body();
            } finally {
                unset($this->flows[$fiber]);
                $this->ended();
            }
        });
    }

    /** Lets the flow go on that is in this wait, which has been resumed. */
    abstract protected function wake(Wait $wait): void;

    /** Returns when the wait has been resumed and it is its turn; at $untilNs it resumes it itself. */
    abstract protected function wait(Wait $wait, int $ticket, int $untilNs): void;

    /** Runs $body later in a fiber. */
    abstract protected function start(\Closure $body): void;

    /** What was spawned has ended. */
    protected function ended(): void
    {
    }

    /**
     * Tells those who wait that nothing can end it. Those that follow another flow are told by its end; in a
     * circle of them one is told, and the error goes round.
     *
     * @return bool false: nobody waits that was not told already
     */
    protected function deadlock(): bool
    {
        $stuck = array_filter($this->waits, static fn (Wait $wait): bool => $wait->parked && !$wait->resumed);
        if ($stuck === []) {
            return false;
        }
        $message = Wait::report($stuck);
        $told = array_filter($stuck, static fn (Wait $wait): bool => !$wait->follows);
        if ($told === []) {
            $fibers = array_filter($stuck, static fn (Wait $wait): bool => $wait->fiber !== null);
            $told = array_slice($fibers ?: $stuck, 0, 1);
        }
        foreach ($told as $wait) {
            $this->fail($wait, new DeadlockError($message));
        }
        return true;
    }

    private function find(int $ticket): ?Wait
    {
        $wait = $this->waits[$ticket] ?? null;
        if ($wait === null && $ticket === $this->open && $ticket !== 0) {
            $wait = $this->waits[$ticket] = new Wait(); // which its flow is about to enter
        }
        return $wait;
    }

    private function fail(Wait $wait, \Throwable $error): void
    {
        $wait->error ??= $error;
        if (!$wait->resumed) {
            $wait->resumed = true;
            $this->wake($wait);
        }
    }

    /** Of a fiber that somebody else has made it makes one. */
    private function flow(\Fiber $fiber): Flow
    {
        return $this->flows[$fiber] ??= new Flow(1);
    }
}
