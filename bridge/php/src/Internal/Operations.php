<?php

// Twin: bridge/php-ext/operations.c.

declare(strict_types=1);

namespace Async\Internal;

use Async\Budget;
use Async\CircuitBreakerStrategy;
use FFI;

/**
 * What a Pool does, operation by operation, when it is more than taking an idle resource or putting one back.
 */
final class Operations
{
    /** How a lend may end: the function that begins it. With "_lease" behind it, it ends that lend and no other. */
    private const RELEASE = 'pool_op_release';
    private const DISCARD = 'pool_op_discard';
    private const DETACH = 'pool_op_detach';

    public readonly Books $books;
    public readonly Stats $stats;

    /** Who acquires is noted. */
    private readonly bool $notes;
    private readonly ?Budget $budget;
    private readonly Driver $driver;
    private readonly Teardown $teardown;

    /** The leases of with() that have not ended, by numbers. @var array<int, array<int, true>> */
    private array $leases = [];

    /** It is being let go, or was. */
    private bool $gone = false;

    /** Those that are there. @var \WeakMap<self, true>|null */
    private static ?\WeakMap $all = null;

    /**
     * @param int $handle the pool as the library knows it
     */
    public function __construct(
        private readonly FFI $library,
        private readonly Loop $loop,
        public readonly Hooks $hooks,
        private readonly Store $store,
        int $handle,
        Options $options,
    ) {
        $this->books = new Books($library, $loop, $handle);
        $this->budget = $hooks->budget;
        $this->books->looks = $options->createRetry > 0 || $this->budget !== null;
        $this->notes = $options->notes();
        $this->stats = new Stats($library, $this->books, $store);
        $this->driver = new Driver($library, $loop, $hooks, $store, $this->books, $this->stats);
        $this->teardown = new Teardown($library, $loop, $this->books, $this->driver);
        self::$all ??= new \WeakMap();
        self::$all[$this] = true;
    }

    /** Makes a pool whose questions are answered here. */
    public static function create(FFI $library, Hooks $hooks, Options $options): int
    {
        $config = $library->new('pool_config_t');
        $config->struct_size = FFI::sizeof($config);
        $config->flags = $library->POOL_F_HOST_DRIVEN;
        $config->asks = Ask::WANT_DESTROY
            | ($hooks->healthcheck === null ? 0 : Ask::WANT_HEALTHCHECK)
            | ($hooks->beforeAcquire === null ? 0 : Ask::WANT_BEFORE_ACQUIRE)
            | ($hooks->beforeRelease === null ? 0 : Ask::WANT_BEFORE_RELEASE)
            | ($hooks->onLeak === null ? 0 : Ask::WANT_LEAKED);
        $options->configure($config, $library);
        $handle = $library->new('uintptr_t');
        $status = $library->pool_create_ex(FFI::addr($config), FFI::addr($handle));
        if ($status !== Status::OK) {
            throw Exceptions::of($library, $status);
        }

        return $handle->cdata;
    }

    /** Where a Pool's constructor did not come to its end, nobody else does it. */
    public function __destruct()
    {
        $this->dispose();
    }

    /**
     * Lends a resource; null: none, where $timeout is null (do not wait).
     */
    public function acquire(?int $timeout): mixed
    {
        $books = $this->books;
        $op = $books->op(fragile: true);
        try {
            $this->budget === null || $this->bound($op, $timeout ?? 0);
            if ($timeout === null) {
                $begun = $this->library->pool_op_try_acquire($books->handle, $op->address);
                $this->driver->run($op, $begun);
            } else {
                $number = 0;
                if ($this->library->pool_op_join($books->handle, $op->address, $timeout)) { // it is in line
                    $this->driver->waitFor($op, match (true) {
                        $books->looks => $this->library->pool_op_until_ns($op->address),
                        $timeout === 0 => Loop::NEVER,
                        default => Timers::in($timeout),
                    });
                    $number = $op->cancelling || $op->ended ? 0 : $this->library->pool_op_take($op->address);
                }
                if ($number !== 0) { // there was nothing to ask
                    unset($books->busy[$op->key]);
                    $op->isPlain = $op->verdict === null && $this->budget === null;
                    $this->notes && $this->stats->note($number);

                    return $this->store->values[$number];
                }
                $this->driver->run($op, Status::OK);
            }
            if ($op->status === Status::OK) {
                $this->notes && $this->stats->note($op->number);

                return $this->store->values[$op->number];
            }
            $status = $this->status($op);
        } finally {
            $op->isPlain ? $books->spare($op) : $this->teardown->leave($op);
        }
        $none = \in_array($status, [Status::EMPTY, Status::CLOSED, Status::UNAVAILABLE], true);
        if ($timeout === null && $none) {
            return null;
        }
        throw Exceptions::of($this->library, $status);
    }

    /**
     * Takes a resource back. Of several that are identical any that is lent will do.
     *
     * @param int|null $number its number, of an object that has one
     * @param mixed $source whom a strategy is told as the pool
     */
    public function release(mixed $resource, ?int $number, mixed $source): void
    {
        if ($number === null || !$this->books->handOn($number)) {
            $this->giveBack($resource, self::RELEASE, $source);
        }
    }

    /** Takes a resource back that is not to be lent again, and destroys it. */
    public function discard(mixed $resource): void
    {
        $this->giveBack($resource, self::DISCARD, null);
        $this->budget?->beat();
    }

    /** Lets a resource go: it is the caller's. */
    public function detach(mixed $resource): void
    {
        $this->giveBack($resource, self::DETACH, null);
    }

    /**
     * Lends a resource to $use, and ends that lend, however $use ends.
     *
     * By lease: if $use gives it back itself, it may be lent to another by then.
     */
    public function with(\Closure $use, int $timeout, mixed $source): mixed
    {
        [$number, $lease] = $this->lease($timeout);
        $end = self::RELEASE;
        try {
            $this->leases[$number][$lease] = true;
            return $this->hooks->with($use, $this->store->values[$number]);
        } catch (\Throwable $error) {
            $end = $this->hooks->isToDiscard($error) ? self::DISCARD : self::RELEASE;
            throw $error;
        } finally {
            unset($this->leases[$number][$lease]);
            if (($this->leases[$number] ?? null) === []) { // a signal handler may have thrown before
                unset($this->leases[$number]);
            }
            $this->check($this->end($end, $number, $source, $lease), mustBeLent: false);
            $this->budget?->beat();
        }
    }

    /** @return array{int, int} the number of what is lent, and the id of the lend; 0: there was no memory for one */
    private function lease(int $timeout): array
    {
        $this->budget?->beat();
        $op = $this->books->op(fragile: true);
        try {
            $this->budget === null || $this->bound($op, $timeout);
            $this->driver->run($op, $this->library->pool_op_acquire($this->books->handle, $op->address, $timeout));
            if ($op->status === Status::OK) {
                $this->notes && $this->stats->note($op->number);

                return [$op->number, $op->ask->lease];
            }
            $status = $this->status($op);
        } finally {
            $this->teardown->leave($op);
        }
        throw Exceptions::of($this->library, $status);
    }

    /** Lets a budget know how long the caller waits; 0: for ever. */
    private function bound(Op $op, int $timeout): void
    {
        $op->untilNs = $timeout === 0 ? Loop::NEVER : Timers::in($timeout);
    }

    /** Ends the lend of a value in the given way. What with() has it ends itself, so that comes last. */
    private function giveBack(mixed $resource, string $how, mixed $source): void
    {
        $status = Status::NOT_OWNED;
        foreach ($this->store->find($resource) as $number) {
            $lease = isset($this->leases[$number]) ? $this->leaseOfOthers($number) : 0;
            $status = $how === self::RELEASE && $lease === 0
                ? $this->library->pool_release($this->books->handle, $number)
                : Status::PENDING;
            if ($status === Status::PENDING || $status === Status::INVALID) { // something is to be asked or decided
                $status = $this->end($how, $number, $source, $lease);
            }
            if ($status !== Status::NOT_OWNED) {
                break;
            }
        }
        $this->check($status, mustBeLent: true);
    }

    /** Of what is lent of a number a lease that with() has not; 0: there is none, or something is lent without. */
    private function leaseOfOthers(int $number): int
    {
        foreach ($this->stats->leases($number) as $lease) {
            if (!isset($this->leases[$number][$lease])) {
                return $lease;
            }
        }

        return 0;
    }

    /**
     * Ends a lend by an operation.
     *
     * @param int $lease its id; 0: any of this number
     */
    private function end(string $how, int $number, mixed $source, int $lease = 0): int
    {
        $op = $this->books->op(fragile: false);
        try {
            [$begin, $what] = $lease === 0 ? [$how, $number] : ["{$how}_lease", $op->lease($number, $lease)];
            $this->driver->run($op, $this->library->$begin($this->books->handle, $op->address, $what), $source);
            $status = $op->untouched ? Status::INVALID : $op->status; // the pool has gone before it could begin
        } finally {
            $this->teardown->leave($op);
        }
        if ($status === Status::OK && $how === self::DETACH) {
            $this->store->remove($number);
        }

        return $status === Status::INVALID && $this->books->handle === 0
            ? $this->endLate($how, $number, $source)
            : $status;
    }

    /** Ends the lend of what was lent by a pool that is gone. */
    private function endLate(string $how, int $number, mixed $source): int
    {
        $resource = $this->store->remove($number);
        if ($resource === null) {
            return Status::NOT_OWNED;
        }
        try {
            $how !== self::RELEASE || $this->hooks->report($source, $this->hooks->refusal($resource));
        } finally {
            $how === self::DETACH || $this->hooks->destroy($resource);
        }

        return Status::OK;
    }

    /** Throws if a lend did not end. Closed: it was destroyed by a destruction of the pool meanwhile. */
    private function check(int $status, bool $mustBeLent): void
    {
        if (
            $status !== Status::OK && $status !== Status::CLOSED
            && ($mustBeLent || $status !== Status::NOT_OWNED)
        ) {
            throw Exceptions::of($this->library, $status);
        }
    }

    /** Creates what is missing to the minimum. */
    public function fill(): void
    {
        $this->orThrow($this->whole('pool_op_fill', fragile: true));
    }

    /**
     * One pass of the healthcheck. There is nobody to be told of errors: what hooks throw is dropped, and the
     * next pass tries again.
     */
    public function sweep(): void
    {
        $this->books->maintenance?->come();
        try {
            $this->whole('pool_op_sweep', fragile: true);
        } catch (\Throwable) {
        }
    }

    public function close(): void
    {
        $status = $this->whole('pool_op_close', fragile: false);
        if ($status === Status::FORKED) {
            throw Exceptions::of($this->library, $status);
        }
    }

    /** Has nothing that exists now lent again. */
    public function evict(): void
    {
        $this->orThrow($this->whole('pool_op_evict', fragile: false));
    }

    public function trim(int $keepIdle): void
    {
        $this->orThrow($this->whole('pool_op_trim', false, $keepIdle));
    }

    public function resize(int $min, int $max): void
    {
        $this->orThrow($this->whole('pool_op_resize', false, $min, $max));
    }

    /** Closes to newcomers, serves who stands in line, and waits until everything is back and destroyed. */
    public function drain(int $timeout): void
    {
        $status = $this->whole('pool_op_drain', false, $timeout);
        $status === Status::CLOSED || $this->orThrow($status);
    }

    /**
     * Has what those in line wait for made behind them.
     *
     * @param \Closure(): void $make makes one, see makeOne(); it knows the pool weakly
     */
    public function makeBehind(\Closure $make): void
    {
        $this->books->makers = new Makers($this->library, $this->loop, $make);
    }

    /** Makes one for who waits in line. Who is first is told if it fails, and nobody else is there to be told. */
    public function makeOne(): void
    {
        $this->books->makers?->come();
        $op = $this->books->op(fragile: false);
        $op->isBehind = true;
        try {
            $this->driver->run($op, $this->library->pool_op_create_behind($this->books->handle, $op->address));
        } catch (\Throwable) {
        } finally {
            $this->teardown->leave($op);
        }
    }

    /** Runs an operation that is about the pool, not about one resource. */
    private function whole(string $begin, bool $fragile, int ...$arguments): int
    {
        $op = $this->books->op($fragile);
        try {
            $this->driver->run($op, $this->library->$begin($this->books->handle, $op->address, ...$arguments));

            return $this->status($op);
        } finally {
            $this->teardown->leave($op);
        }
    }

    /** How an op ended. Of a pool that is gone the library knows nothing any more. */
    private function status(Op $op): int
    {
        return $op->status === Status::INVALID && $this->books->handle === 0 ? Status::CLOSED : $op->status;
    }

    private function orThrow(int $status): void
    {
        if ($status !== Status::OK) {
            throw Exceptions::of($this->library, $status);
        }
    }

    /** Moves the breaker with the given function of the library. A closed pool has none to move. */
    public function move(string $function): void
    {
        $status = $this->library->$function($this->books->handle);
        $this->books->wake();
        if ($status === Status::FORKED) {
            throw Exceptions::of($this->library, $status);
        }
    }

    public function setStrategy(?CircuitBreakerStrategy $strategy): void
    {
        $this->hooks->strategy = $strategy;
        $asks = $strategy === null ? 0 : Ask::WANT_REPORTS | Ask::WANT_SHOULD_RECOVER;
        $this->library->pool_set_asks($this->books->handle, $asks);
    }

    /** The library's own strategy, in place of the one before. */
    public function setThreshold(int $failures, int $openMs, int $successes): void
    {
        $this->setStrategy(null);
        $this->books->looks = true;
        $status = $this->library->pool_strategy_threshold($this->books->handle, $failures, $openMs, $successes);
        $this->books->wake();
        $this->orThrow($this->books->handle === 0 ? Status::OK : $status);
    }

    /**
     * Closes, and lets the library forget the pool. What is lent then can still be released.
     *
     * Whoever comes from when the handle is 0 finds the pool gone; until then the library knows what it lends.
     */
    public function dispose(): void
    {
        if ($this->gone) {
            return;
        }
        $this->gone = true;
        $error = $this->teardown->abandonAll();
        try {
            $this->whole('pool_op_close', fragile: false);
        } catch (\Throwable $thrown) {
            $error = Op::chain($error, $thrown);
        }
        $this->teardown->forget(\array_keys($this->store->values));
        if ($error !== null) {
            throw $error;
        }
    }

    /** After a fatal error, when PHP destructs nothing any more: lets the library forget all pools, without a hook. */
    public static function disposeSilently(): void
    {
        foreach (self::$all ?? [] as $operations => $_) {
            $operations->gone = true;
            if ($operations->books->handle !== 0) {
                $operations->teardown->endSilently();
                $operations->teardown->forget(\array_keys($operations->store->values));
            }
        }
    }
}
