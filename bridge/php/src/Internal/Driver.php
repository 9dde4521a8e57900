<?php

declare(strict_types=1);

namespace Async\Internal;

use Async\AsyncCancellation;
use Async\PoolException;
use FFI;
use FFI\CData;

/**
 * Drives the operations of one pool: asks the library what to do, does it in PHP, and answers.
 *
 * The library never calls PHP, so a hook may throw, exit or suspend like any other PHP code: where an
 * operation stands is kept in the frame of run(). Nothing here refers to the Pool, so that it goes as soon
 * as its last user lets it go; while an operation runs, its caller's frame keeps the Pool.
 */
final class Driver implements \Stringable
{
    /** The operations under way by their address. @var array<int, Op> */
    private array $busy = [];

    /** @var list<Op> */
    private array $spare = [];

    /** How many flows wait. */
    public int $parked = 0;

    private readonly CData $ask;
    private readonly CData $askAt;
    private readonly CData $answer;
    private readonly CData $answerAt;

    /**
     * @param int $handle the pool as the library knows it
     */
    public function __construct(
        private readonly FFI $library,
        private readonly Loop $loop,
        private readonly Hooks $hooks,
        private readonly Store $store,
        private readonly int $handle,
    ) {
        $this->ask = $library->new('pool_ask_t');
        $this->ask->struct_size = FFI::sizeof($this->ask);
        $this->askAt = FFI::addr($this->ask);
        $this->answer = $library->new('pool_answer_t');
        $this->answer->struct_size = FFI::sizeof($this->answer);
        $this->answerAt = FFI::addr($this->answer);
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
     * An operation, to be begun by the library and given to run() at once.
     *
     * @param bool $fragile a destructor's exception ends it
     */
    public function op(bool $fragile): Op
    {
        $op = \array_pop($this->spare) ?? new Op($this->library);
        $op->fragile = $fragile;
        $op->leaving = false;
        $op->ended = false;
        $op->error = null;

        return $op;
    }

    /**
     * Runs an operation to its end. Throws what ends it for its caller: what a factory or destructor threw,
     * or a cancellation. Otherwise the status is in the op.
     *
     * @param int $begun what the library said when it began it
     * @param mixed $source whom a strategy is told as the pool
     * @return int the number of what was acquired
     */
    public function run(Op $op, int $begun, mixed $source = null): int
    {
        $op->status = $begun;
        if ($begun === Status::OK && !$op->ended) {
            $this->busy[$op->address] = $op;
            try {
                $kind = $op->leaving ? $this->cancel($op) : $this->next($op, null);
                while ($kind !== Ask::DONE) {
                    $word = 0;
                    if ($kind === Ask::WAIT) {
                        $this->wait($op, $this->ask->until_ns);
                    } else {
                        $word = $this->answer($op, $kind, $source);
                    }
                    if ($op->ended) {
                        $kind === Ask::CREATE && $this->unmake($op, $word);
                        break;
                    }
                    $kind = $op->leaving ? $this->cancel($op) : $this->next($op, $word);
                }
            } finally {
                if (isset($this->busy[$op->address])) { // a fiber that is destroyed only runs this
                    $this->abandon($op);
                }
            }
        }
        if ($op->ended) {
            $op->status = Status::CLOSED;
        }
        $this->spare[] = $op;
        $op->refusal = null; // its trace may know the resource
        if ($op->error !== null) {
            $error = $op->error;
            $op->error = null; // its trace may know the pool
            throw $error;
        }

        return $op->status === Status::OK ? $this->ask->resource : 0;
    }

    /**
     * Waits with an op that stands in line, and takes what it is granted if there is nothing to ask.
     *
     * @return int the number of what was acquired; 0: run() must go on
     */
    public function queue(Op $op, int $untilNs): int
    {
        $address = $op->address;
        $this->busy[$address] = $op;
        try {
            $this->wait($op, $untilNs);
            $number = $op->leaving || $op->ended ? 0 : $this->library->pool_op_take($address);
        } finally {
            if (!isset($number) && isset($this->busy[$address])) { // as in run(), unless the pool has gone first
                $this->abandon($op);
            }
        }
        if ($number !== 0) {
            unset($this->busy[$address]);
            $this->spare[] = $op;
        }

        return $number;
    }

    /** Does what was asked. Answers 0 for "no", for a creation the number of what was made. */
    private function answer(Op $op, int $kind, mixed $source): int
    {
        $number = $this->ask->resource;
        try {
            switch ($kind) {
                case Ask::CREATE:
                    return $this->create();
                case Ask::BEFORE_ACQUIRE:
                    return (int) $this->hooks->mayLend($this->store->values[$number]);
                case Ask::BEFORE_RELEASE:
                    $op->refusal = $this->hooks->refusal($this->store->values[$number]);

                    return (int) ($op->refusal === null);
                case Ask::REPORT_SUCCESS:
                    $this->hooks->report($source, null);
                    break;
                case Ask::REPORT_FAILURE:
                    $op->refusal === null || $this->hooks->report($source, $op->refusal);
                    break;
                case Ask::HEALTHCHECK:
                    return (int) $this->hooks->isHealthy($this->store->values[$number]);
                case Ask::SHOULD_RECOVER:
                    return (int) $this->hooks->shouldRecover();
                case Ask::DESTROY:
                    $this->hooks->destroy($this->store->remove($number));
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
    private function unmake(Op $op, int $number): void
    {
        try {
            $number === 0 || $this->hooks->destroy($this->store->remove($number));
        } catch (\Throwable $error) {
            $op->fail($error);
        }
    }

    /** Suspends the flow until the op can go on, or is to be left. */
    private function wait(Op $op, int $untilNs): void
    {
        $op->ticket = $this->loop->ticket();
        $this->parked++;
        try {
            $this->loop->suspend($op->ticket, $untilNs, $this);
        } catch (\Throwable $error) {
            $op->fail($error);
            $op->leaving = true;
        } finally {
            $this->parked--;
        }
    }

    /** Releases a resource to the flow that has waited longest, if there is nothing to ask. */
    public function handOn(int $number): bool
    {
        $address = $this->parked === 0 ? 0 : $this->library->pool_hand_on($this->handle, $number);
        if ($address === 0) {
            return false;
        }
        $this->loop->resume($this->busy[$address]->ticket);

        return true;
    }

    private function next(Op $op, ?int $word): int
    {
        $answer = null;
        if ($word !== null) {
            $this->answer->ok = $word !== 0;
            $this->answer->resource = $word;
            $answer = $this->answerAt;
        }
        $kind = $this->library->pool_op_next($op->address, $answer, $this->askAt);
        if ($kind === Ask::DONE) {
            $op->status = $this->ask->status;
            unset($this->busy[$op->address]);
        }
        if ($this->parked > 0 && $kind !== Ask::WAIT) { // who joins the line frees no place
            $this->wake();
        }

        return $kind;
    }

    /** Ends an op early; it may still have something to be destroyed. */
    private function cancel(Op $op): int
    {
        $op->leaving = false;
        $this->library->pool_op_cancel($op->address);

        return $this->next($op, null);
    }

    /**
     * Lets the flows go on that were granted a place or sent away. To be called after whatever may have
     * done that. They run later: what the library asked last is still there.
     */
    public function wake(): void
    {
        while ($this->parked > 0 && ($address = $this->library->pool_op_woken($this->handle)) !== 0) {
            $this->loop->resume($this->busy[$address]->ticket);
        }
    }

    /** Ends an op that nobody drives any more. */
    private function abandon(Op $op): void
    {
        for ($kind = $this->cancel($op); $kind !== Ask::DONE; $kind = $this->cancel($op)) {
            $this->answer($op, $kind, null);
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
            $op->error = null;
            $op->ended = true;
            $this->abandon($op);
            $error = $op->error === null ? $error : Op::chain($error, $op->error);
            $op->error = null;
            $this->loop->resume($op->ticket);
        }

        return $error;
    }

    /** Lets the library take a resource for released, of a closed pool, without a hook. */
    public function forget(int $number): void
    {
        $op = $this->op(fragile: false);
        if ($this->library->pool_op_release($this->handle, $op->address, $number) === Status::OK) {
            for ($kind = $this->next($op, null); $kind !== Ask::DONE; $kind = $this->next($op, 1)) {
            }
        }
    }
}
