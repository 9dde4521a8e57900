<?php

// Twin: bridge/php-ext/teardown.c.

declare(strict_types=1);

namespace Async\Internal;

use FFI;

/**
 * Ending what no flow drives to its end; and the end of a pool: operations end whose flows are elsewhere, and what is
 * lent is forgotten.
 */
final class Teardown
{
    public function __construct(
        private readonly FFI $library,
        private readonly Loop $loop,
        private readonly Books $books,
        private readonly Driver $driver,
    ) {
    }

    /** Ends an operation that is not done: of a fiber that is destroyed, or left by what a signal handler threw. */
    public function leave(Op $op): void
    {
        if (isset($this->books->busy[$op->key])) {
            $this->abandon($op);
        }
        $this->books->spare($op);
    }

    /** Ends an op that nobody drives any more. */
    public function abandon(Op $op): void
    {
        while ($this->driver->cancel($op) !== Ask::DONE) {
        }
    }

    /**
     * Ends all that is under way. A flow that comes back, from a hook or from the line, finds the pool closed.
     *
     * @return \Throwable|null what their destructors threw
     */
    public function abandonAll(): ?\Throwable
    {
        $error = null;
        foreach ($this->books->busy as $op) {
            if ($op->made !== 0 || !isset($this->books->busy[$op->key])) {
                continue; // the library hears of it next; or it has ended
            }
            $isNew = $op->ask->kind === Ask::DONE;
            $kind = $this->driver->cancel($op);
            if ($kind === Ask::DONE && $op->status !== Status::CANCELLED) { // it was, and its flow does not know it yet
                continue;
            }
            $op->ended = true;
            $op->untouched = $isNew && $kind === Ask::DONE;
            $op->error = null;
            $kind === Ask::DONE || $this->abandon($op);
            $error = $op->error === null ? $error : Op::chain($error, $op->error);
            $op->error = null;
            $this->loop->resumeFrom($op->wait);
        }

        return $error;
    }

    /** Ends all that is under way, and closes, without a hook. */
    public function endSilently(): void
    {
        foreach ($this->books->busy as $op) {
            do {
                $this->library->pool_op_cancel($op->address);
            } while ($this->driver->next($op, null) !== Ask::DONE);
        }
        $op = $this->books->op(fragile: false);
        $this->settle($op, $this->library->pool_op_close($this->books->handle, $op->address));
    }

    /**
     * Lets the library forget a closed pool. What is lent it takes for released, without a hook.
     *
     * @param list<int> $lent the numbers of what may be
     */
    public function forget(array $lent): void
    {
        $handle = $this->books->handle;
        $this->books->handle = 0;
        foreach ($lent as $number) {
            do {
                $op = $this->books->op(fragile: false);
                $begun = $this->library->pool_op_release($handle, $op->address, $number);
            } while ($this->settle($op, $begun) === Status::OK);
        }
        $this->library->pool_unref($handle);
    }

    /** Answers whatever a pool without hooks is asked. */
    private function settle(Op $op, int $begun): int
    {
        try {
            if ($begun !== Status::OK) {
                unset($this->books->busy[$op->key]);

                return $begun;
            }
            for ($kind = $this->driver->next($op, null); $kind !== Ask::DONE; $kind = $this->driver->next($op, 1)) {
            }

            return $op->status;
        } finally {
            $this->leave($op);
        }
    }
}
