<?php

// Twin: bridge/php-ext/maintenance.c.

declare(strict_types=1);

namespace Async\Internal;

/**
 * When the passes of a pool come that look after health, age, idleness, leaks, and what is to be there. They run in the
 * background, in fibers of their own, while some flow waits.
 */
final class Maintenance
{
    /** The timer of the loop; 0: none. */
    private int $timer = 0;

    /**
     * @param bool $checks there is a healthcheck
     * @param \Closure(): void $pass runs one; it knows the pool weakly, and must not throw
     */
    public function __construct(
        private readonly Options $options,
        private readonly bool $checks,
        private readonly \Closure $pass,
    ) {
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
        if ($this->timer === 0) {
            $this->timer = $loop->every($interval, $this->pass);
        }
        if ($atOnce) {
            $loop->spawn($this->pass, background: true);
        }
    }

    /** No more of them begin. */
    public function end(): void
    {
        if ($this->timer !== 0) {
            Runtime::loop()->cancel($this->timer);
            $this->timer = 0;
        }
    }
}
