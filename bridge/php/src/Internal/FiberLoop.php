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

    /** @var \SplQueue<Wait|\Closure> waits that were resumed, and what is to be started */
    private \SplQueue $ready;

    private Timers $timers;

    /** @var array<int, int> what every() gave out, and the number of its timer at present */
    private array $periodic = [];

    private int $lastPeriodic = 0;

    /** How many times the loop is running, one inside the other. exit() in it leaves this above 0. */
    private int $running = 0;

    public function __construct()
    {
        parent::__construct();
        $this->ready = new \SplQueue();
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
        $this->ready->enqueue($wait);
    }

    protected function start(\Closure $body): void
    {
        $this->ready->enqueue($body);
    }

    protected function wait(Wait $wait, int $ticket, int $untilNs): void
    {
        if ($untilNs === self::NEVER) {
            $this->park($wait);
            return;
        }
        $timer = $this->timers->add($untilNs, $ticket);
        try {
            $this->park($wait);
        } finally {
            $this->timers->cancel($timer);
        }
    }

    private function park(Wait $wait): void
    {
        if ($wait->fiber === null) {
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
                if (!$this->ready->isEmpty()) {
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
     * Runs what is ready now, in order; not what becomes ready by that.
     *
     * @param \Closure(): bool $done
     */
    private function turn(\Closure $done): void
    {
        for ($left = count($this->ready); $left > 0 && !$this->ready->isEmpty(); $left--) {
            $next = $this->ready->dequeue();
            try {
                if ($next instanceof \Closure) {
                    $fiber = new \Fiber($next);
                    $fiber->start();
                } elseif (!$next->parked) {
                    continue; // whoever made the fiber was quicker
                } elseif ($next->fiber !== null) {
                    $fiber = $next->fiber;
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
                    $this->ready->unshift($next);
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
