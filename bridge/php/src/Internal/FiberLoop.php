<?php

declare(strict_types=1);

namespace Async\Internal;

/**
 * The built-in loop: a queue of what can run and a heap of times. It runs on the main flow's stack, while the
 * main flow waits and at the end of the script.
 */
final class FiberLoop extends TicketLoop
{
    /** With signal handlers about it never sleeps longer: one that comes just before the sleep is late. */
    private const SIGNALS_NS = 50_000_000;

    /** Nor longer than this: usleep() counts microseconds in 32 bits. */
    private const LONGEST_NS = 1_000_000_000_000;

    /** @var list<Wait|Flow|\Closure> waits that were resumed, flows that pass, and what is to be started */
    private array $ready = [];

    /** @var list<Wait|Flow|\Closure|null> those of them whose turn it is, from $next to before $end; null: was there */
    private array $turn = [];

    private int $next = 0;

    private int $end = 0;

    private Timers $timers;

    /** @var array<int, int> what every() gave out, and the number of its timer at present */
    private array $periodic = [];

    private int $lastPeriodic = 0;

    /** How many times the loop is running, one inside the other. exit() in it leaves this above 0. */
    private int $running = 0;

    public function __construct()
    {
        parent::__construct();
        $this->timers = new Timers();
    }

    public function every(int $milliseconds, \Closure $callback): int
    {
        $number = ++$this->lastPeriodic;
        $this->arm($number, $milliseconds, $callback);
        return $number;
    }

    public function cancel(int $timer): void
    {
        if (isset($this->periodic[$timer])) {
            $this->timers->cancel($this->periodic[$timer]);
            unset($this->periodic[$timer]);
        }
    }

    /** Without a ticket: nobody else can end it. */
    public function pass(): void
    {
        $fiber = \Fiber::getCurrent();
        $flow = $fiber === null ? null : $this->flows[$fiber] ?? null;
        if ($flow === null) {
            parent::pass();
            return;
        }
        $this->ready[] = $flow;
        $flow->passing = true;
        try {
            \Fiber::suspend();
        } finally {
            $flow->passing = false; // also where PHP forbids to switch: its turn is nobody's then
        }
        if ($flow->interrupt !== null) {
            $error = $flow->interrupt;
            $flow->interrupt = null;
            throw $error;
        }
    }

    public function finish(): bool
    {
        if ($this->running > 0) {
            return false;
        }
        $this->run(fn (): bool => $this->alive === 0);
        return true;
    }

    protected function wake(Wait $wait): void
    {
        $this->ready[] = $wait;
    }

    protected function start(\Closure $body): void
    {
        $this->ready[] = $body;
    }

    protected function wait(Wait $wait, int $ticket, int $untilNs): void
    {
        $timer = $untilNs === self::NEVER ? 0 : $this->timers->add($untilNs, $ticket);
        try {
            if ($wait->flow->fiber === null) {
                $this->run(static fn (): bool => $wait->reached);
                return;
            }
            \Fiber::suspend();
            while (!$wait->resumed) {
                // Whoever made the fiber has resumed it; who does so in turns may never let the loop run.
                $this->ring();
                if (!$wait->resumed) {
                    \Fiber::suspend();
                }
            }
        } finally {
            if ($timer !== 0) {
                $this->timers->cancel($timer);
            }
        }
    }

    private function arm(int $number, int $milliseconds, \Closure $callback): void
    {
        $this->periodic[$number] = $this->timers->add(
            hrtime(true) + $milliseconds * 1_000_000,
            fn () => $this->spawn(function () use ($number, $milliseconds, $callback): void {
                if (isset($this->periodic[$number])) {
                    $callback();
                    if (isset($this->periodic[$number])) {
                        $this->arm($number, $milliseconds, $callback);
                    }
                }
            }, background: true),
        );
    }

    /**
     * Runs what can run until it is done, telling those who wait when nothing can.
     *
     * @param \Closure(): bool $done
     */
    private function run(\Closure $done): void
    {
        $this->running++;
        try {
            while (!$done()) {
                $this->ring();
                if ($this->ready !== [] || $this->next < $this->end) {
                    $this->turn($done);
                } elseif ($this->timers->hasDeadlines()) {
                    $this->sleep($this->timers->next() - hrtime(true));
                } elseif (!$this->deadlock()) {
                    return;
                }
            }
        } finally {
            $this->running--;
        }
    }

    /**
     * Runs what is ready now, in order; not what becomes ready by that. If a turn is under way, the rest of it.
     *
     * @param \Closure(): bool $done
     */
    private function turn(\Closure $done): void
    {
        if ($this->next === $this->end) {
            $this->turn = $this->ready;
            $this->ready = [];
            $this->next = 0;
            $this->end = count($this->turn);
        }
        while ($this->next < $this->end) {
            $next = $this->turn[$this->next];
            $this->turn[$this->next++] = null;
            try {
                if ($next instanceof Flow) {
                    if ($next->passing) { // otherwise whoever made the fiber was quicker, as below
                        $fiber = $next->fiber;
                        $fiber->resume();
                    }
                } elseif ($next instanceof \Closure) {
                    $fiber = new \Fiber($next);
                    $fiber->start();
                } elseif (!$next->parked) {
                    continue;
                } elseif ($next->flow->fiber !== null) {
                    $fiber = $next->flow->fiber;
                    $fiber->resume();
                } else {
                    $next->reached = true;
                    if ($done()) {
                        return;
                    }
                }
            } catch (\Throwable $error) {
                if (!$fiber->isTerminated()) {
                    // PHP forbids to switch fibers here, in a destructor for one: later, then.
                    $this->turn[--$this->next] = $next;
                    throw $error;
                }
                // A fiber that is no coroutine: nobody but the loop is there to take it.
                Runtime::failed($error);
            }
        }
    }

    /** Lets the timers ring whose time has come. */
    private function ring(): void
    {
        if ($this->timers->next() === self::NEVER) {
            return;
        }
        $now = hrtime(true);
        while (($what = $this->timers->due($now)) !== null) {
            is_int($what) ? $this->resume($what) : $what();
        }
    }

    private function sleep(int $ns): void
    {
        $ns = min($ns, self::LONGEST_NS);
        if (function_exists('pcntl_async_signals') && pcntl_async_signals()) {
            $ns = min($ns, self::SIGNALS_NS);
        }
        if ($ns > 0) {
            usleep(intdiv($ns + 999, 1000));
        }
    }
}
