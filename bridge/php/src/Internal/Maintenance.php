<?php

// Twin: bridge/php-ext/maintenance.c.

declare(strict_types=1);

namespace Async\Internal;

use FFI;

/**
 * When the passes of a pool come that look after health, age, idleness, leaks, and what is to be there. They run in the
 * background, in fibers of their own, while some flow waits.
 *
 * Where so many are kept idle, one comes as soon as fewer are and there is room for more. It is called once each time
 * that this begins: where the factory fails nobody is helped by another one at once.
 */
final class Maintenance
{
    /** The timer of the loop; 0: none. */
    private int $timer = 0;

    private bool $hasEnded = false;

    /** So many there may be. */
    private int $max;

    /** Fewer are idle than are to be, and there is room: a pass was called for it. */
    private bool $lacks = false;

    /** A pass was called that has not begun. */
    private bool $isCalled = false;

    /**
     * @param bool $checks there is a healthcheck
     * @param \Closure(): void $pass runs one; it knows the pool weakly, and must not throw
     */
    public function __construct(
        private readonly FFI $library,
        private readonly Options $options,
        private readonly bool $checks,
        private readonly \Closure $pass,
    ) {
        $this->max = $options->max;
    }

    /**
     * Has passes come, if there is something for them to do.
     *
     * @param int $min resources that are to be there
     * @param bool $atOnce the first one is not waited for
     */
    public function begin(int $min, bool $atOnce): void
    {
        $interval = $this->options->interval($min, $this->checks);
        if ($interval === 0) {
            return;
        }
        $loop = Runtime::loop();
        $was = Undisturbed::begin(); // what the collector destroys may close the pool, and a timer would stay
        if ($this->timer === 0 && !$this->hasEnded) {
            $this->timer = $loop->every($interval, $this->pass);
        }
        Undisturbed::end($was);
        $atOnce && $this->call();
    }

    /** There may be more now, or fewer. */
    public function resized(int $min, int $max, Books $books): void
    {
        $this->max = $max;
        $this->begin($min, $min > 0);
        $this->look($books, false);
    }

    /**
     * Calls a pass if fewer are idle from now on than are to be. To be called after whatever may have done that.
     *
     * @param bool $isLent one was lent just now
     */
    public function look(Books $books, bool $isLent): void
    {
        if ($this->options->minIdle === 0 || $this->timer === 0) {
            return;
        }
        $missing = $this->options->minIdle - $this->library->pool_idle_count($books->handle);
        $lacks = $missing > 0 && $this->library->pool_count($books->handle) < $this->max;
        $begins = $lacks && (!$this->lacks || ($isLent && $missing === 1)); // what came back nobody has looked at
        $this->lacks = $lacks;
        $begins && $this->call();
    }

    /** A pass begins. */
    public function come(): void
    {
        $this->isCalled = false;
    }

    private function call(): void
    {
        if (!$this->isCalled) {
            $this->isCalled = $this->options->minIdle > 0; // else nobody says that it has come
            Runtime::loop()->spawn($this->pass, background: true);
        }
    }

    /** No more of them begin. */
    public function end(): void
    {
        $this->hasEnded = true;
        if ($this->timer !== 0) {
            Runtime::loop()->cancel($this->timer);
            $this->timer = 0;
        }
    }
}
