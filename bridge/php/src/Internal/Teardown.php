<?php

declare(strict_types=1);

namespace Async\Internal;

use FFI;

/**
 * What a pool does at its end only: operations end whose flows are elsewhere, and what is lent is forgotten.
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

    /**
     * Ends all that is under way. A flow that comes back, from a hook or from the line, finds the pool closed.
     *
     * @return \Throwable|null what their destructors threw
     */
    public function abandonAll(): ?\Throwable
    {
        $error = null;
        foreach ($this->books->busy as $op) {
            if ($op->made !== 0 || !isset($this->books->busy[$op->address])) { // the library hears of it next; it has ended
                continue;
            }
            $isNew = $op->ask->kind === Ask::DONE;
            $kind = $this->driver->cancel($op);
            if ($kind === Ask::DONE && $op->status !== Status::CANCELLED) { // it was, and its flow does not know it yet
                continue;
            }
            $op->ended = true;
            $op->untouched = $isNew && $kind === Ask::DONE;
            $op->error = null;
            $kind === Ask::DONE || $this->driver->abandon($op);
            $error = $op->error === null ? $error : Op::chain($error, $op->error);
            $op->error = null;
            if ($op->ticket !== 0) {
                $this->loop->resume($op->ticket);
            }
        }

        return $error;
    }

    /**
     * Lets the library take a resource for released, of a closed pool that is let go, without a hook.
     *
     * @return bool false: it was not lent
     */
    public function forget(int $handle, int $number): bool
    {
        $op = $this->books->enter(fragile: false);
        try {
            if ($this->library->pool_op_release($handle, $op->address, $number) !== Status::OK) {
                return false;
            }
            for ($kind = $this->driver->next($op, null); $kind !== Ask::DONE; $kind = $this->driver->next($op, 1)) {
            }

            return $op->status === Status::OK;
        } finally {
            $this->driver->leave($op);
        }
    }
}
