<?php

declare(strict_types=1);

namespace Async\Internal;

use Async\DeadlockError;

/**
 * What the loops have in common: who waits with which ticket, and how that ends.
 */
abstract class TicketLoop implements Loop
{
    /** Fibers that were spawned and have not ended, but for those in the background, and others that wait: they
     * keep the script alive. */
    protected int $alive = 0;

    /** @var array<int, Wait> by ticket */
    private array $waits = [];

    /** @var \WeakMap<\Fiber, Flow> */
    protected \WeakMap $flows;

    private Flow $main;

    private int $last = 0;

    public function __construct()
    {
        $this->flows = new \WeakMap();
        $this->main = new Flow(null, false);
    }

    public function ticket(): int
    {
        $fiber = \Fiber::getCurrent();
        $wait = new Wait($fiber === null ? $this->main : $this->flows[$fiber] ?? $this->flow($fiber));
        $this->waits[++$this->last] = $wait;
        return $this->last;
    }

    public function resume(int $ticket, mixed $value = null): void
    {
        $wait = $this->waits[$ticket] ?? null;
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
        if (isset($this->waits[$ticket])) {
            $this->waits[$ticket]->error ??= $error;
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
        $wait = $this->waits[$ticket];
        $flow = $wait->flow;
        // The main flow may wait in a signal handler while it waits below it, if no fiber must run for that.
        $outer = $flow->wait;
        $flow->wait = $wait;
        $wait->parked = true;
        $wait->for = $for;
        $wait->follows = $follows;
        try {
            if ($wait->resumed) {
                $this->wake($wait);
            }
            if ($flow->interrupt !== null) {
                $this->fail($wait, $flow->interrupt);
                $flow->interrupt = null;
            }
            if ($flow->foreign) {
                $this->alive++;
            }
            $this->wait($wait, $ticket, $untilNs);
        } finally {
            if ($flow->foreign) {
                $this->alive--;
            }
            $flow->wait = $outer;
            $wait->parked = false;
            unset($this->waits[$ticket]);
        }
        return $wait->error === null ? $wait->value : throw $wait->error;
    }

    public function pass(): void
    {
        $ticket = $this->ticket();
        $this->resume($ticket);
        $this->suspend($ticket);
    }

    public function spawn(\Closure $body, bool $background = false): void
    {
        $alive = $background ? 0 : 1;
        $this->alive += $alive;
        $this->start(function () use ($body, $alive): void {
            $fiber = \Fiber::getCurrent();
            $this->flows[$fiber] = new Flow($fiber, false);
            try {
                $body();
            } finally {
                unset($this->flows[$fiber]);
                $this->alive -= $alive;
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
            $fibers = array_filter($stuck, static fn (Wait $wait): bool => $wait->flow->fiber !== null);
            $told = array_slice($fibers ?: $stuck, 0, 1);
        }
        foreach ($told as $wait) {
            $this->fail($wait, new DeadlockError($message));
        }
        return true;
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
        return $this->flows[$fiber] ??= new Flow($fiber, true);
    }
}
