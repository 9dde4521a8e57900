<?php

declare(strict_types=1);

namespace Async\Internal;

/**
 * How a flow waits: the one interface behind which the built-in loop or Revolt's stands.
 *
 * A flow is a fiber, whoever made it, or the script's main flow. Each wait has an id, which is never used
 * twice:
 *
 *     $wait = $loop->waitId();
 *     ... leave $wait where others find it ...
 *     $value = $loop->suspend($wait, untilNs: $deadline, for: $describes);
 *
 * and somebody else calls resume($wait, $value) or throw($wait, $error). The id of a wait that is over is
 * ignored, so late and double wake-ups do no harm. There is one thread: between waitId() and suspend()
 * nobody else runs unless the flow itself lets them.
 */
interface Loop
{
    /** A deadline that never comes; also what asks of the library have in until_ns for "none". */
    public const NEVER = PHP_INT_MAX;

    /**
     * The id of the next wait of the current flow: at least 1, never the same twice.
     */
    public function waitId(): int;

    /**
     * Suspends the current flow until somebody resumes $id, or until the time has come.
     *
     * In a fiber this suspends the fiber; in the main flow it runs the loop meanwhile. If $id was resumed
     * already, only those run before that were ready. When it has returned or thrown, the id is void and
     * its timer is gone. After waitId() this must be called: an unused id is never forgotten.
     *
     * Throws what was given to throw() or interrupt(), a \FiberError where PHP forbids to switch fibers
     * (before PHP 8.4: in destructors), or a DeadlockError when nothing can run any more that could end this
     * wait. A fiber that is destroyed while it waits only runs its finally blocks: whatever must be undone
     * stands in one.
     *
     * @param int $id from waitId(), of this flow
     * @param int $untilNs time on the monotonic clock, as hrtime(true) and ask.until_ns; NEVER: none
     * @param \Stringable|null $for what is waited for; only asked for its text when there is a deadlock
     * @param bool $follows the wait ends when another flow does: in a deadlock that one is told, and its
     *                      end ends this wait
     * @return mixed the value given to resume(); null when the time has come
     */
    public function suspend(
        int $id,
        int $untilNs = self::NEVER,
        ?\Stringable $for = null,
        bool $follows = false,
    ): mixed;

    /**
     * A wait for who keeps it in place of an id, so that nobody has to look it up; it may be used again and again.
     */
    public function newWait(): Wait;

    /**
     * Suspends the current flow in it, as suspend(). Who has used it before has set $wait->resumed to false, and reckons
     * with being woken for the time before.
     */
    public function suspendIn(Wait $wait, int $untilNs, ?\Stringable $for): mixed;

    /** Ends it, as resume(); also before it has begun. */
    public function resumeFrom(Wait $wait): void;

    /**
     * Suspends the current flow until a stream is ready, or until the time has come. If it is ready, only those run
     * before that were ready. While somebody waits for a stream there is no deadlock.
     *
     * Several may wait for one stream; all of them go on then. Throws as suspend() does; a \ValueError or an
     * AsyncException if the stream is none that can be waited for, or is closed meanwhile.
     *
     * @param resource $stream an open one
     * @param bool $toWrite until it takes data; false: until it has some, or its end
     * @param int $untilNs as for suspend()
     * @return bool false: the time has come
     */
    public function suspendOn($stream, bool $toWrite, int $untilNs = self::NEVER): bool;

    /**
     * Suspends the current flow until those have run that are ready now: as suspend() of a wait that was
     * resumed already.
     */
    public function pass(): void;

    /**
     * The same, of a flow that the loop itself has spawned: in short.
     *
     * @return bool false: it is another, and nothing was done; or there is no short way
     */
    public function passOwn(): bool;

    /**
     * Lets the flow go on that is in this wait, or about to be. It does not run before the current
     * flow suspends or ends; flows go on in the order in which they were resumed. Without effect on a wait
     * that is over or was resumed already. May be called from anywhere, destructors included.
     */
    public function resume(int $id, mixed $value = null): void;

    /**
     * As resume(), but its suspend() throws $error. It also overtakes a resume() after which the flow has
     * not run yet: that value is dropped.
     */
    public function throw(int $id, \Throwable $error): void;

    /**
     * Throws $error into whatever wait $fiber is in, as throw() does; if it is in none, into its next one.
     *
     * @param \Fiber|null $fiber null: the main flow
     */
    public function interrupt(?\Fiber $fiber, \Throwable $error): void;

    /**
     * Runs $body later in a fiber of its own, in the order of the calls. It must not throw.
     *
     * @param bool $background true: does not keep the script alive
     */
    public function spawn(\Closure $body, bool $background = false): void;

    /**
     * Calls $callback again and again, in the background, in a fiber of its own: it may suspend. The time
     * counts anew from its end, so calls do not overlap; they happen while some flow waits. The loop keeps
     * $callback until cancel(): let it hold its object by a \WeakReference. It must not throw.
     *
     * @return int for cancel()
     */
    public function every(int $milliseconds, \Closure $callback): int;

    /**
     * Ends what every() began; a call that is under way goes on to its end. Unknown numbers are ignored.
     */
    public function cancel(int $timer): void;

    /**
     * Runs what can run, until nothing is left that keeps the script alive. Those that would wait for
     * ever get a DeadlockError. For the main flow at the end of the script.
     *
     * @return bool false: exit() was called while the loop ran, so nothing runs any more
     */
    public function finish(): bool;
}
