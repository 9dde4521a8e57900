<?php

// Twin: bridge/php-ext/wait_loop.c.

declare(strict_types=1);

namespace Async\Internal;

use Async\DeadlockError;

/**
 * What the loops have in common: who is in which wait, and how that ends.
 *
 * Wherever something is called or dropped here, PHP may run a destructor or a signal handler, which may resume, wait
 * and, in the main flow, run the loop. So that a wait is over is written before anybody is told of it, may be told
 * more than once, and its flow itself looks how it has ended.
 */
abstract class WaitLoop implements Loop
{
    /** A fiber without a deadline has nothing to do but to suspend itself; else it is wait() that knows how. */
    protected const SWITCHES = false;

    /** Fibers that were spawned and have not ended, but for those in the background, and others that wait: they
     * keep the script alive. */
    protected int $alive = 0;

    /** How often something was made ready to run. */
    protected int $events = 0;

    /** How often at the last collection before a verdict. */
    private int $collected = -1;

    /** @var array<int, Wait> by their ids */
    private array $waits = [];

    /** @var \WeakMap<\Fiber, Flow> */
    protected \WeakMap $flows;

    private Flow $main;

    private int $last = 0;

    public function __construct()
    {
        $this->flows = new \WeakMap();
        $this->main = new Flow(isMain: true, isForeign: false);
    }

    public function waitId(): int
    {
        $wait = $this->newWait();
        $this->waits[$wait->id] = $wait;
        return $wait->id;
    }

    public function newWait(): Wait
    {
        $wait = new Wait();
        $wait->id = ++$this->last;
        return $wait;
    }

    public function resume(int $id, mixed $value = null): void
    {
        $wait = $this->waits[$id] ?? null;
        if ($wait !== null && !$wait->resumed) {
            $wait->value = $value;
            $this->resumeFrom($wait);
        }
    }

    public function resumeFrom(Wait $wait): void
    {
        if (!$wait->resumed) {
            $wait->resumed = true;
            if ($wait->parked) { // as tell() does
                $this->events++;
                $this->wake($wait);
            }
        }
    }

    public function throw(int $id, \Throwable $error): void
    {
        $wait = $this->waits[$id] ?? null;
        if ($wait !== null) {
            $this->fail($wait, $error);
        }
    }

    public function interrupt(?\Fiber $fiber, \Throwable $error): void
    {
        $flow = $fiber === null ? $this->main : $this->flow($fiber);
        $wait = $flow->wait;
        if ($wait === null) {
            $flow->interrupt ??= $error;
        } else {
            $this->fail($wait, $error);
        }
    }

    public function suspend(
        int $id,
        int $untilNs = self::NEVER,
        ?\Stringable $for = null,
        bool $follows = false,
    ): mixed {
        $wait = $this->waits[$id];
        $wait->follows = $follows;
        return $this->suspendIn($wait, $untilNs, $for);
    }

    public function suspendIn(Wait $wait, int $untilNs, ?\Stringable $for): mixed
    {
        Runtime::$watched || Runtime::watch(); // whoever began before the end of the script has this loop still
        $fiber = \Fiber::getCurrent();
        $flow = $fiber === null ? $this->main : $this->flows[$fiber] ?? $this->flow($fiber);
        // The main flow may wait in a signal handler while it waits below it, if no fiber must run for that.
        $outer = $flow->wait;
        $wait->for = $for;
        $wait->flow = $flow;
        $wait->fiber = $fiber;
        if ($flow->isForeign) {
            $this->alive++;
        }
        try {
            $this->waits[$wait->id] = $wait;
            $flow->wait = $wait;
            $wait->parked = true;
            if ($wait->resumed) {
                $this->tell($wait);
            }
            if ($flow->interrupt !== null) {
                $this->fail($wait, $flow->interrupt);
                $flow->interrupt = null;
            }
            if (static::SWITCHES && $untilNs === self::NEVER && $fiber !== null) { // in short
                \Fiber::suspend();
                $wait->resumed || $wait->verdict !== null || $this->wait($wait, $untilNs);
            } else {
                $this->wait($wait, $untilNs);
            }
        } finally {
            if ($flow->isForeign) {
                $this->alive--;
            }
            $flow->wait = $outer;
            $wait->parked = false;
            $wait->fiber = null;
            $wait->for = null;
            unset($this->waits[$wait->id]);
        }
        if ($wait->error === null && $wait->verdict === null) {
            return $wait->value;
        }
        $error = $wait->error ?? ($wait->resumed ? null : $wait->verdict);
        $wait->error = $wait->verdict = null;
        return $error === null ? $wait->value : throw $error;
    }

    public function suspendOn($stream, bool $toWrite, int $untilNs = self::NEVER): bool
    {
        $isReady = Streams::probe($stream, $toWrite);
        if ($isReady === null && $this->isSelect()) {
            throw Streams::beyondSelect();
        }
        if ($isReady) {
            $this->pass();
        } else {
            $id = $this->waitId();
            try {
                $this->watch($id, $stream, $toWrite);
                $isReady = $this->suspend($id, $untilNs) !== null;
            } finally {
                $this->unwatch($id);
            }
        }
        if (!\is_resource($stream)) {
            throw Streams::closed();
        }
        return $isReady || Streams::probe($stream, $toWrite) === true; // the time may have come long ago
    }

    public function pass(): void
    {
        $id = $this->waitId();
        $this->resume($id);
        $this->suspend($id);
    }

    public function spawn(\Closure $body, bool $background = false): void
    {
        $alive = $background ? 0 : 1;
        $this->alive += $alive;
        $this->events++;
        $this->start(function () use ($body, $alive): void {
            $fiber = \Fiber::getCurrent();
            $this->flows[$fiber] = new Flow(isMain: false, isForeign: false);
            try {
                $body();
            } finally {
                unset($this->flows[$fiber]);
                $this->alive -= $alive;
                $this->ended();
            }
        });
    }

    /** Lets the flow go on that is in this wait, which is over. It may be told again, and have gone on. */
    abstract protected function wake(Wait $wait): void;

    /** Returns when the wait is over and it is its turn; at $untilNs it resumes it itself. */
    abstract protected function wait(Wait $wait, int $untilNs): void;

    /** Runs $body later in a fiber. */
    abstract protected function start(\Closure $body): void;

    /** Resumes the wait with true when the stream is ready; until unwatch(). */
    abstract protected function watch(int $id, $stream, bool $toWrite): void;

    abstract protected function unwatch(int $id): void;

    /** Does it wait for streams by select()? */
    abstract protected function isSelect(): bool;

    /** What was spawned has ended. */
    protected function ended(): void
    {
    }

    /**
     * Before a verdict: what only cycles hold may be what is waited for. Collects them.
     *
     * @return bool true: so it did, and what can run is to be looked for again
     */
    protected function collect(): bool
    {
        if ($this->collected === $this->events) {
            return false;
        }
        $this->collected = $this->events;
        try {
            \gc_collect_cycles();
        } catch (\Throwable $error) {
            $this->collected = -1; // whoever is thrown it may leave more of them before the next wait
            throw $error;
        }
        return true;
    }

    /**
     * Tells those who wait that nothing can end it. Those that follow another flow are told by its end; in a
     * circle of them one is told, and the error goes round. Whoever is resumed before it goes on was not stuck.
     *
     * @return bool false: nobody waits that was not told already
     */
    protected function deadlock(): bool
    {
        $stuck = array_filter($this->waits, static fn (Wait $wait): bool => $wait->parked && !$wait->isOver());
        if ($stuck === []) {
            return false;
        }
        $message = Wait::report($stuck);
        $told = array_filter($stuck, static fn (Wait $wait): bool => !$wait->follows);
        if ($told === []) {
            $fibers = array_filter($stuck, static fn (Wait $wait): bool => !$wait->flow->isMain);
            $told = array_slice($fibers ?: $stuck, 0, 1);
        }
        foreach ($told as $wait) {
            $wait->verdict = new DeadlockError($message);
            $this->tell($wait);
        }
        return true;
    }

    private function fail(Wait $wait, \Throwable $error): void
    {
        $wait->error ??= $error;
        if (!$wait->resumed) {
            $wait->resumed = true;
            $this->tell($wait);
        }
    }

    private function tell(Wait $wait): void
    {
        if ($wait->parked) {
            $this->events++;
            $this->wake($wait);
        }
    }

    /** Of a fiber that somebody else has made it makes one. */
    private function flow(\Fiber $fiber): Flow
    {
        $flow = new Flow(isMain: false, isForeign: true);
        $this->flows[$fiber] ??= $flow;
        return $this->flows[$fiber];
    }
}
