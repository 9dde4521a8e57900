<?php

declare(strict_types=1);

namespace Async\Internal;

use Async\DeadlockError;
use Async\PoolException;
use FFI;

/**
 * Drives the operations of one pool: asks the library what to do, does it in PHP, and answers.
 *
 * The library never calls PHP, so a hook may throw, exit or suspend like any other PHP code: where an
 * operation stands is kept in the frame of run(). Nothing here refers to the Pool, so that it goes as soon
 * as its last user lets it go; while an operation runs, its caller's frame keeps the Pool.
 *
 * Wherever something is called or dropped here, PHP may run a destructor or a signal handler, and that may use the
 * pool, or destruct it. So an op is in the books before the library hears of it; what it says is in the op's own
 * memory; and that an op can go on is a hint: who is told looks whether it is so, and who waits is told by everybody
 * who hears of it.
 */
final class Driver implements \Stringable
{
    /** The operations under way by their addresses. @var array<int, Op> */
    private array $busy = [];

    /** @var list<Op> */
    private array $spare = [];

    /**
     * @param int $handle the pool as the library knows it; 0 from when it is let go: its address may be another's then
     */
    public function __construct(
        public readonly FFI $library,
        private readonly Loop $loop,
        private readonly Hooks $hooks,
        private readonly Store $store,
        public int $handle,
    ) {
    }

    /** What a report of a deadlock says of those who wait here. */
    public function __toString(): string
    {
        $counts = $this->library->new('pool_snapshot_t');
        $counts->struct_size = FFI::sizeof($counts);
        $this->library->pool_snapshot($this->handle, FFI::addr($counts));

        return "Pool(idle={$counts->idle}, active={$counts->active}, reserved={$counts->reserved}, "
            . "waiting={$counts->waiting}, max={$counts->max})";
    }

    /**
     * An operation, in the books. Its flow has it begun by the library, runs it, reads how it ended, and leaves it,
     * however that goes.
     *
     * @param bool $fragile a destructor's exception ends it
     */
    public function enter(bool $fragile): Op
    {
        $op = \array_pop($this->spare) ?? new Op($this->library);
        $op->fragile = $fragile;
        $this->busy[$op->address] = $op;

        return $op;
    }

    /** Ends an operation that is not done: of a fiber that is destroyed, or left by what a signal handler threw. */
    public function leave(Op $op): void
    {
        if (isset($this->busy[$op->address])) {
            $this->abandon($op);
        }
        $op->reset();
        $this->spare[] = $op;
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
            unset($this->busy[$op->address]);
            $op->status = $begun;
        } else {
            $kind = $op->leaving ? $this->cancel($op) : $this->next($op, null);
            while ($kind !== Ask::DONE && !$op->ended) {
                $word = 0;
                if ($kind !== Ask::WAIT) {
                    $word = $this->answer($op, $kind, $source);
                } elseif ($op->verdict === null) {
                    $this->wait($op, $op->ask->until_ns);
                } else { // the library sees nothing either that could end it
                    $op->fail($op->verdict);
                    $op->leaving = true;
                }
                if ($op->ended) {
                    break;
                }
                $kind = $op->leaving ? $this->cancel($op) : $this->next($op, $word);
            }
        }
        if ($op->ended) {
            $op->status = Status::CLOSED;
            $op->number = 0;
            $this->unmake($op);
        }
        if ($op->error !== null) {
            throw $op->error;
        }
    }

    /**
     * Has an op acquire, and wait in line if that is all there is to do. What it is granted is taken if there is
     * nothing to ask.
     *
     * @return bool false: run() must go on
     */
    public function queue(Op $op, int $timeout): bool
    {
        if (!$this->library->pool_op_join($this->handle, $op->address, $timeout)) {
            return false;
        }
        $this->wait($op, $timeout === 0 ? Loop::NEVER : Timers::in($timeout));
        if ($op->leaving || $op->ended || ($op->number = $this->library->pool_op_take($op->address)) === 0) {
            return false;
        }
        unset($this->busy[$op->address]);
        $op->status = Status::OK;

        return true;
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
                    return $op->made = $this->create();
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
            }
        } catch (\Throwable $error) {
            $op->fail($error);
            $op->leaving = match ($kind) {
                Ask::CREATE, Ask::BEFORE_RELEASE => false, // "no" ends it, or has the resource destroyed
                Ask::REPORT_SUCCESS, Ask::REPORT_FAILURE => false, // the verdict stands
                Ask::DESTROY => $op->fragile,
                default => true,
            };
        }

        return 0;
    }

    private function create(): int
    {
        $value = ($this->hooks->factory)();
        if ($value === null) { // tryAcquire() answers null for "none"
            throw new PoolException('Failed to create pool resource');
        }

        return $this->store->add($value);
    }

    /** Destroys what was made for a pool that was destructed meanwhile. */
    private function unmake(Op $op): void
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
    private function wait(Op $op, int $untilNs): void
    {
        try {
            $op->ticket = $this->loop->ticket();
            if ($op->woken || $op->ended) { // between the library's word and the ticket
                $this->loop->resume($op->ticket);
            }
            $this->loop->suspend($op->ticket, $untilNs, $this);
        } catch (DeadlockError $verdict) {
            $op->verdict = $verdict;
        } catch (\Throwable $error) {
            $op->fail($error);
            $op->leaving = true;
        } finally {
            $op->ticket = 0;
        }
    }

    /** Releases a resource to the flow that has waited longest, if there is nothing to ask. */
    public function handOn(int $number): bool
    {
        if ($this->busy === []) {
            return false;
        }
        try {
            $address = $this->library->pool_hand_on($this->handle, $number);
            $address === 0 || $this->tell($address);
        } catch (\Throwable $error) {
            $this->tellAll();
            throw $error;
        }

        return $address !== 0;
    }

    /**
     * Lets the flows go on that were granted a place or sent away. To be called after whatever may have
     * done that. They run later.
     */
    public function wake(): void
    {
        try {
            while ($this->busy !== [] && ($address = $this->library->pool_op_woken($this->handle)) !== 0) {
                $this->tell($address);
            }
        } catch (\Throwable $error) {
            $this->tellAll();
            throw $error;
        }
    }

    /** Lets a flow look whether its op can go on. It may have ended meanwhile, and the op be another's. */
    private function tell(int $address): void
    {
        $op = $this->busy[$address] ?? null;
        if ($op !== null) {
            $op->woken = true;
            if ($op->ticket !== 0) {
                $this->loop->resume($op->ticket);
            }
        }
    }

    /** A signal handler has thrown, and whom the library named is not known: it names nobody twice. */
    private function tellAll(): void
    {
        foreach ($this->busy as $address => $op) {
            $this->tell($address);
        }
    }

    private function next(Op $op, ?int $word): int
    {
        $op->woken = false;
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
            unset($this->busy[$op->address]);
        }
        if ($kind !== Ask::WAIT && \count($this->busy) > (int) ($kind !== Ask::DONE)) { // who joins the line frees no place
            $this->wake();
        }

        return $kind;
    }

    /** Ends an op early; it may still have something to be destroyed. */
    private function cancel(Op $op): int
    {
        $op->leaving = false;
        if ($op->ask->kind === Ask::DESTROY) { // the library takes it for done
            $this->answer($op, Ask::DESTROY, null);
        }
        $this->library->pool_op_cancel($op->address);

        return $this->next($op, null);
    }

    /** Ends an op that nobody drives any more. */
    private function abandon(Op $op): void
    {
        while ($this->cancel($op) !== Ask::DONE) {
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
        foreach ($this->busy as $op) {
            if ($op->made !== 0 || !isset($this->busy[$op->address])) { // the library hears of it next; it has ended
                continue;
            }
            $isNew = $op->ask->kind === Ask::DONE;
            $kind = $this->cancel($op);
            if ($kind === Ask::DONE && $op->status !== Status::CANCELLED) { // it was, and its flow does not know it yet
                continue;
            }
            $op->ended = true;
            $op->untouched = $isNew && $kind === Ask::DONE;
            $op->error = null;
            $kind === Ask::DONE || $this->abandon($op);
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
        $op = $this->enter(fragile: false);
        try {
            if ($this->library->pool_op_release($handle, $op->address, $number) !== Status::OK) {
                return false;
            }
            for ($kind = $this->next($op, null); $kind !== Ask::DONE; $kind = $this->next($op, 1)) {
            }

            return $op->status === Status::OK;
        } finally {
            $this->leave($op);
        }
    }
}
