<?php

/** @generate-class-entries */

namespace Async;

/**
 * A function that runs beside others on this thread: {@see spawn()}. It lets the others run whenever it
 * waits, in {@see await()}, {@see delay()}, {@see suspend()} or {@see Pool::acquire()}.
 *
 * @not-serializable
 */
final class Coroutine implements \Stringable
{
    private function __construct()
    {
    }

    /**
     * A number, different for each coroutine of this script.
     */
    public function getId(): int
    {
    }

    /**
     * Ends its wait, or its next one, with an AsyncCancellation; if it has not started yet, it never runs.
     *
     * The coroutine may catch it, clean up, wait for other things meanwhile, and go on. Without effect on one
     * that is completed.
     *
     * @param AsyncCancellation|null $cancellation what is thrown there; null: one is made
     */
    public function cancel(?AsyncCancellation $cancellation = null): void
    {
    }

    /** Has it begun to run? */
    public function isStarted(): bool
    {
    }

    /** Is it the one that runs now? */
    public function isRunning(): bool
    {
    }

    /** Has it begun, and waits? */
    public function isSuspended(): bool
    {
    }

    /** Has it ended, in whatever way? */
    public function isCompleted(): bool
    {
    }

    /** Has somebody called cancel() before it had ended? */
    public function isCancellationRequested(): bool
    {
    }

    /** Has it ended with an AsyncCancellation? */
    public function isCancelled(): bool
    {
    }

    /** What it returned; null before it has ended, and if it threw. */
    public function getResult(): mixed
    {
    }

    /** What it threw; null before it has ended, and if it returned. Who asks has been told. */
    public function getException(): ?\Throwable
    {
    }

    /**
     * Has a function called at its end, in whatever way it ends, before those go on who await it. One whose fiber is
     * dropped has no end: what only it holds goes with it.
     *
     * @internal what belongs to a coroutine is let go so: see {@see Internal\Pdo\Contexts}
     * @param \Closure(self): void $callback called in the order of the calls; must neither throw nor wait
     */
    public function finally(\Closure $callback): void
    {
    }

    /** For messages. */
    public function __toString(): string
    {
    }
}
