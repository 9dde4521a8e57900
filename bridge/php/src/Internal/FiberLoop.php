<?php

// Twin: bridge/php-ext/fiber_loop.c.

declare(strict_types=1);

namespace Async\Internal;

/**
 * The built-in loop: a queue of what can run and a heap of times. It runs on the main flow's stack, while the
 * main flow waits and at the end of the script.
 */
final class FiberLoop extends WaitLoop
{
    protected const SWITCHES = true;

    /** With signal handlers about it never sleeps longer: one that comes just before the sleep is late. */
    private const SIGNALS_NS = 50_000_000;

    /** Nor longer than this: usleep() counts microseconds in 32 bits. */
    private const LONGEST_NS = 1_000_000_000_000;

    /**
     * Waits that are over, flows that pass, and fibers that are to be started, in their order. Each goes on once,
     * however often it is met: so one stays here until it has.
     *
     * @var array<int, Wait|Flow|\Fiber>
     */
    private array $queue = [];

    private Timers $timers;

    private Streams $streams;

    /** @var array<int, int> what every() gave out, and the number of its timer at present; 0: none yet */
    private array $periodic = [];

    private int $lastPeriodic = 0;

    /** How many times the loop is running, one inside the other. exit() in it leaves this above 0. */
    private int $running = 0;

    public function __construct()
    {
        parent::__construct();
        $this->timers = new Timers();
        $this->streams = new Streams();
    }

    public function every(int $milliseconds, \Closure $callback): int
    {
        $number = ++$this->lastPeriodic;
        $this->periodic[$number] = 0;
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

    /** Without the id of a wait: nobody else can end it. */
    public function pass(): void
    {
        $this->passOwn() || parent::pass();
    }

    public function passOwn(): bool
    {
        $fiber = \Fiber::getCurrent();
        $flow = $fiber === null ? null : $this->flows[$fiber] ?? null;
        if ($flow === null || $flow->isForeign) {
            return false;
        }
        $outer = $flow->passing; // of a flow that runs a destructor, just before it passes
        $flow->passing = $fiber;
        $this->events++;
        $this->queue[] = $flow;
        try {
            \Fiber::suspend();
        } finally {
            $flow->passing = $outer; // also where PHP forbids to switch: its turn is nobody's then
        }
        if ($flow->interrupt !== null) {
            $error = $flow->interrupt;
            $flow->interrupt = null;
            throw $error;
        }
        return true;
    }

    public function finish(): bool
    {
        if ($this->running > 0) {
            return false;
        }
        $this->run(fn (): bool => $this->alive === 0);
        return true;
    }

    /** As any loop's, and wake(), in one call. */
    public function resumeFrom(Wait $wait): void
    {
        if (!$wait->resumed) {
            $wait->resumed = true;
            if ($wait->parked) {
                $this->events++;
                $this->queue[] = $wait;
            }
        }
    }

    protected function wake(Wait $wait): void
    {
        $this->queue[] = $wait;
    }

    protected function start(\Closure $body): void
    {
        $this->queue[] = new \Fiber($body);
    }

    protected function watch(int $id, $stream, bool $toWrite): void
    {
        $this->streams->add($id, $stream, $toWrite);
    }

    protected function unwatch(int $id): void
    {
        $this->streams->remove($id);
    }

    protected function isSelect(): bool
    {
        return true;
    }

    protected function wait(Wait $wait, int $untilNs): void
    {
        $timer = $untilNs === self::NEVER ? 0 : $this->timers->add($untilNs, $wait->id);
        try {
            if ($wait->fiber === null) {
                $wait->reached = false;
                $this->run(static fn (): bool => $wait->reached);
                return;
            }
            \Fiber::suspend();
            while (!$wait->resumed && $wait->verdict === null) {
                // Whoever made the fiber has resumed it; who does so in turns may never let the loop run.
                $this->ring();
                $this->streams->isEmpty() || $this->look(0, $this->events);
                if (!$wait->isOver()) {
                    \Fiber::suspend();
                }
            }
        } finally {
            if ($timer !== 0) {
                $this->timers->cancel($timer);
            }
        }
    }

    /** Unless it was cancelled. What the collector destroys on the way might do that, and the timer would stay. */
    private function arm(int $number, int $milliseconds, \Closure $callback): void
    {
        $was = Undisturbed::begin();
        if (isset($this->periodic[$number])) {
            $this->periodic[$number] = $this->timers->add(
                \hrtime(true) + $milliseconds * 1_000_000,
                fn () => $this->spawn(function () use ($number, $milliseconds, $callback): void {
                    if (isset($this->periodic[$number])) {
                        $callback();
                        $this->arm($number, $milliseconds, $callback);
                    }
                }, background: true),
            );
        }
        Undisturbed::end($was);
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
                $events = $this->events;
                if ($this->queue !== []) {
                    $this->streams->isEmpty() || $this->look(0, $events);
                    $this->turn($done);
                } elseif ($this->timers->hasDeadlines() || !$this->streams->isEmpty()) {
                    $this->sleep($this->timers->next(), $events);
                    $this->turn($done);
                } elseif (!$this->collect() && !$this->deadlock()) {
                    return;
                }
            }
        } finally {
            $this->running--;
        }
    }

    /**
     * Runs what is ready now, in order; not what becomes ready by that. What others let go on meanwhile, in a wait
     * inside this one, is met once more, and passed by.
     *
     * @param \Closure(): bool $done
     */
    private function turn(\Closure $done): void
    {
        foreach ($this->queue as $index => $next) {
            $fiber = null;
            try {
                if ($next instanceof Wait) {
                    $fiber = $next->fiber;
                    if ($fiber !== null) { // else whoever made the fiber was quicker
                        $fiber->resume();
                    } elseif ($next->parked && $next->isOver()) {
                        $next->reached = true; // the main flow's, which waits here, or below
                        if ($done()) {
                            unset($this->queue[$index]);
                            return;
                        }
                    }
                } elseif ($next instanceof Flow) {
                    $fiber = $next->passing;
                    $fiber?->resume();
                } else {
                    $fiber = $next;
                    $fiber->isStarted() || $fiber->start();
                }
            } catch (\Throwable $error) {
                if ($fiber?->isTerminated() !== true) {
                    throw $error; // PHP forbids to switch fibers here, in a destructor for one: later, then
                }
                // A fiber that is no coroutine: nobody but the loop is there to take it.
                Runtime::failed($error);
            }
            unset($this->queue[$index]);
        }
    }

    /** Lets the timers ring whose time has come. */
    private function ring(): void
    {
        if ($this->timers->next() === self::NEVER) {
            return;
        }
        $now = \hrtime(true);
        while (($due = $this->timers->due($now)) !== null) {
            [$number, $what] = $due;
            if (\is_int($what)) {
                $this->resume($what);
                $this->timers->cancel($number);
            } elseif ($this->timers->cancel($number)) {
                $what();
            }
        }
    }

    /** Sleeps until a stream is ready, unless something has happened since there were so many events. */
    private function sleep(int $untilNs, int $events): void
    {
        $ns = $untilNs === self::NEVER ? $untilNs : \max(0, \min($untilNs - \hrtime(true), self::LONGEST_NS));
        if (\function_exists('pcntl_async_signals') && \pcntl_async_signals()) {
            $ns = \min($ns, self::SIGNALS_NS);
        }
        $this->look($ns, $events);
    }

    /** Lets those go on whose streams are ready, within so many nanoseconds. */
    private function look(int $ns, int $events): void
    {
        $told = [];
        $was = Undisturbed::begin(); // what makes something ready to run from here on, comes after the sleep
        if (!$this->streams->isEmpty()) {
            $told = $this->streams->select($events === $this->events ? $ns : 0);
        } elseif ($ns > 0 && $events === $this->events) {
            \usleep(\intdiv($ns + 999, 1000));
        }
        Undisturbed::end($was);
        foreach ($told as $wait => $fault) {
            $this->streams->remove($wait); // its flow may go on much later: it keeps nobody awake
            $fault === null ? $this->resume($wait, true) : $this->throw($wait, $fault);
        }
    }
}
