<?php

// Twin: bridge/php-ext/driver.c.

declare(strict_types=1);

namespace Async\Internal;

use Async\AsyncCancellation;
use Async\DeadlockError;
use Async\TryLater;
use FFI;

/**
 * Drives the operations of one pool: asks the library what to do, does it in PHP, and answers.
 *
 * The library never calls PHP, so a hook may throw, exit or suspend like any other PHP code: where an
 * operation stands is kept in the frame of run(). Nothing here refers to the Pool, so that it goes as soon
 * as its last user lets it go; while an operation runs, its caller's frame keeps the Pool.
 *
 * Wherever something is called or dropped here, PHP may run a destructor or a signal handler, and that may use the
 * pool, or destruct it. So an op is in the books before the library hears of it, and what it says is in the op's own
 * memory.
 */
final class Driver implements \Stringable
{
    public function __construct(
        private readonly FFI $library,
        private readonly Loop $loop,
        private readonly Hooks $hooks,
        private readonly Store $store,
        private readonly Books $books,
        private readonly Stats $stats,
    ) {
    }

    /** What a report of a deadlock says of those who wait here. */
    public function __toString(): string
    {
        $text = $this->library->new('char[256]');

        return FFI::string($text, $this->library->pool_describe($this->books->handle, $text, FFI::sizeof($text)));
    }

    /**
     * Runs an operation to its end. Throws what ends it for its caller: what a factory or destructor threw,
     * or a cancellation. Otherwise the status is in the op.
     *
     * @param int $begun what the library said when it began it
     * @param mixed $source whom a strategy is told as the pool
     */
    public function run(Op $op, int $begun, mixed $source = null): void
    {
        if ($begun !== Status::OK) {
            unset($this->books->busy[$op->key]);
            $op->status = $begun;
        } else {
            $kind = $op->cancelling ? $this->cancel($op) : $this->next($op, null);
            while ($kind !== Ask::DONE && !$op->ended) {
                $word = 0;
                if ($kind !== Ask::WAIT) {
                    $word = $this->answer($op, $kind, $source);
                } elseif ($op->verdict === null) {
                    $this->waitFor($op, $op->ask->until_ns);
                } else { // the library sees nothing either that could end it
                    $op->fail($op->verdict);
                    $op->cancelling = true;
                }
                if ($op->ended) {
                    break;
                }
                $kind = $op->cancelling ? $this->cancel($op) : $this->next($op, $word);
            }
        }
        if ($op->ended) {
            $op->status = Status::CLOSED;
            $op->number = 0;
            $this->outlive($op);
        }
        if ($op->status === Status::FACTORY || ($op->ended && $op->failure !== null)) {
            $op->fail($op->failure ?? $this->books->failure ?? Exceptions::ofFactory($this->books->reason));
        }
        if ($op->error !== null) {
            throw $op->error;
        }
    }

    /**
     * Does what was asked. Answers 0 for "no", for a creation the number of what was made. A resource that is gone
     * belonged to an op that was ended meanwhile.
     */
    private function answer(Op $op, int $kind, mixed $source): int
    {
        $number = $op->ask->resource;
        $op->verdict = null;
        try {
            switch ($kind) {
                case Ask::CREATE:
                    return $op->made = $this->hooks->create($this->store, $op->timeLeft());
                case Ask::BEFORE_ACQUIRE:
                    $value = $this->store->values[$number] ?? null;

                    return (int) ($value !== null && $this->hooks->mayLend($value));
                case Ask::BEFORE_RELEASE:
                    $value = $this->store->values[$number] ?? null;
                    $op->refusal = $value === null ? null : $this->hooks->refusal($value);

                    return (int) ($op->refusal === null);
                case Ask::REPORT_SUCCESS:
                    $this->hooks->report($source, null);
                    break;
                case Ask::REPORT_FAILURE:
                    $op->refusal === null || $this->hooks->report($source, $op->refusal);
                    break;
                case Ask::HEALTHCHECK:
                    $value = $this->store->values[$number] ?? null;

                    return (int) ($value !== null && $this->hooks->isHealthy($value));
                case Ask::SHOULD_RECOVER:
                    return (int) $this->hooks->shouldRecover();
                case Ask::DESTROY:
                    $this->hooks->destroy($this->store->remove($op->claim()));
                    break;
                case Ask::LEAKED:
                    $lend = $this->stats->lend($op->ask->lend);
                    $lend->resource === null || $this->hooks->leaked($lend); // null: its lend has ended meanwhile
                    break;
            }
        } catch (\Throwable $error) {
            if ($kind === Ask::CREATE && ($op->isBehind || !$error instanceof AsyncCancellation)) {
                $this->isNotMade($op, $error);

                return 0;
            }
            $op->fail($error);
            $op->cancelling = match ($kind) {
                Ask::BEFORE_RELEASE => false, // "no" has the resource destroyed
                Ask::REPORT_SUCCESS, Ask::REPORT_FAILURE => false, // the verdict stands
                Ask::DESTROY => $op->fragile,
                default => true,
            };
        }

        return 0;
    }

    /** Notes why a creation failed, or that it is put off. */
    private function isNotMade(Op $op, \Throwable $error): void
    {
        $later = $error instanceof TryLater;
        $this->books->looks = $this->books->looks || $later;
        $ms = $later ? $error->ms ?? 0 : 0; // a class of the script may not have called its constructor
        $op->answer->later_ns = $later ? \max(1, $ms * 1_000_000) : 0;
        $op->failure = $error;
        if ($op->isBehind || $this->books->looks) { // others may end with it
            $this->books->failure = $error;
        }
    }

    /** Destroys what was made for a pool that was destructed meanwhile. */
    private function outlive(Op $op): void
    {
        $number = $op->made;
        $op->made = 0;
        try {
            $number === 0 || $this->hooks->destroy($this->store->remove($number));
        } catch (\Throwable $error) {
            $op->fail($error);
        }
    }

    /** Suspends the flow until the op can go on, or is to be left. */
    public function waitFor(Op $op, int $untilNs): void
    {
        $books = $this->books;
        $books->makers?->call($books);
        $books->waiting++;
        try {
            $this->loop->suspendIn($op->wait, $untilNs, $this);
        } catch (DeadlockError $verdict) {
            $op->verdict = $verdict;
        } catch (\Throwable $error) {
            $op->fail($error);
            $op->cancelling = true;
        } finally {
            $op->wait->resumed = false; // whoever tells it from here on is late, or comes before it is asked again
            $books->waiting--;
        }
    }

    /** @param int|null $word the answer; null: there is none yet */
    public function next(Op $op, ?int $word): int
    {
        $answer = null;
        if ($word !== null) {
            $op->answer->ok = $word !== 0;
            $op->answer->resource = $word;
            $answer = $op->answerAt;
        }
        $kind = $this->library->pool_op_next($op->address, $answer, $op->askAt);
        $op->made = 0;
        if ($kind === Ask::DONE) {
            $op->status = $op->ask->status;
            $op->number = $op->status === Status::OK ? $op->ask->resource : 0;
            unset($this->books->busy[$op->key]);
        }
        if ($kind !== Ask::WAIT && \count($this->books->busy) > (int) ($kind !== Ask::DONE)) { // who joins the line frees no place
            $this->books->wake();
        }

        return $kind;
    }

    /** Ends an op early; it may still have something to be destroyed. */
    public function cancel(Op $op): int
    {
        $op->cancelling = false;
        if ($op->ask->kind === Ask::DESTROY) { // the library takes it for done
            $this->answer($op, Ask::DESTROY, null);
        }
        $this->library->pool_op_cancel($op->address);

        return $this->next($op, null);
    }
}
