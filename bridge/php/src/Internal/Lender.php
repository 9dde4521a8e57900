<?php

declare(strict_types=1);

namespace Async\Internal;

use Async\CircuitBreakerStrategy;
use FFI;

/**
 * What a Pool does, operation by operation, when it is more than taking an idle resource or putting one back.
 */
final class Lender
{
    private readonly Driver $driver;

    /**
     * Resources by number that were lent while there was a strategy and no beforeRelease: the library does
     * not hold a resource for a report alone, so this does. False: it is being reported.
     *
     * @var array<int, bool>
     */
    private array $lent = [];

    /**
     * @param int $handle the pool as the library knows it; 0 when it is gone
     */
    public function __construct(
        private readonly FFI $library,
        Loop $loop,
        public readonly Hooks $hooks,
        private readonly Store $store,
        private int $handle,
    ) {
        $this->driver = new Driver($library, $loop, $hooks, $store, $handle);
    }

    /** Makes a pool whose questions are answered here. */
    public static function create(FFI $library, Hooks $hooks, int $min, int $max): int
    {
        $config = $library->new('pool_config_t');
        $config->struct_size = FFI::sizeof($config);
        $config->flags = $library->POOL_F_HOST_DRIVEN;
        $config->asks = Ask::WANT_DESTROY | Ask::WANT_SHOULD_RECOVER
            | ($hooks->healthcheck === null ? 0 : Ask::WANT_HEALTHCHECK)
            | ($hooks->beforeAcquire === null ? 0 : Ask::WANT_BEFORE_ACQUIRE)
            | ($hooks->beforeRelease === null ? 0 : Ask::WANT_BEFORE_RELEASE);
        $config->min_size = $min;
        $config->max_size = $max;
        $handle = $library->new('uintptr_t');
        $status = $library->pool_create_ex(FFI::addr($config), FFI::addr($handle));
        if ($status !== Status::OK) {
            throw Status::exception($library, $status);
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
        $op = $this->driver->op(fragile: true);
        $begun = $timeout === null
            ? $this->library->pool_op_try_acquire($this->handle, $op->address)
            : $this->library->pool_op_acquire($this->handle, $op->address, $timeout);
        $number = $this->driver->run($op, $this->handle === 0 ? Status::CLOSED : $begun);
        if ($op->status === Status::OK) {
            if ($this->reportsHere()) {
                $this->lent[$number] = true;
            }

            return $this->store->values[$number];
        }
        $none = \in_array($op->status, [Status::EMPTY, Status::CLOSED, Status::UNAVAILABLE], true);
        if ($timeout === null && $none) {
            return null;
        }
        throw Status::exception($this->library, $op->status);
    }

    /**
     * Takes a resource back. Of several that are identical any that is lent will do.
     *
     * @param mixed $source whom a strategy is told as the pool
     */
    public function release(mixed $resource, mixed $source): void
    {
        $status = Status::NOT_OWNED;
        foreach ($this->store->find($resource) as $number) {
            $status = $this->handle === 0
                ? $this->releaseLate($number, $source)
                : $this->releaseOne($number, $source);
            if ($status !== Status::NOT_OWNED) {
                break;
            }
        }
        if ($status !== Status::OK) {
            throw Status::exception($this->library, $status);
        }
    }

    private function releaseOne(int $number, mixed $source): int
    {
        $known = $this->lent[$number] ?? null;
        if ($known === null) { // only the library knows whether it is lent at all
            $status = $this->giveBack($number, $source);
            if ($status === Status::OK && $this->reportsHere()) {
                $this->hooks->report($source, null);
            }

            return $status;
        }
        if ($known === false) {
            return Status::NOT_OWNED;
        }
        $this->lent[$number] = false;
        try {
            $this->hooks->report($source, null);
        } finally {
            unset($this->lent[$number]);
            $status = $this->giveBack($number, $source);
        }

        return $status;
    }

    private function giveBack(int $number, mixed $source): int
    {
        $status = $this->library->pool_release($this->handle, $number);
        if ($status !== Status::PENDING) { // nothing was to be asked or decided
            $this->driver->wake();

            return $status;
        }
        $op = $this->driver->op(fragile: false);
        $begun = $this->library->pool_op_release($this->handle, $op->address, $number);
        $this->driver->run($op, $begun, $source);

        return $op->status;
    }

    /** Takes back what was lent by a pool that is gone. */
    private function releaseLate(int $number, mixed $source): int
    {
        $resource = $this->store->remove($number);
        try {
            $this->hooks->report($source, $this->hooks->refusal($resource));
        } finally {
            $this->hooks->destroy($resource);
        }

        return Status::OK;
    }

    /** Creates what is missing to the minimum. */
    public function fill(): void
    {
        $op = $this->driver->op(fragile: true);
        $this->driver->run($op, $this->library->pool_op_fill($this->handle, $op->address));
        if ($op->status !== Status::OK) {
            throw Status::exception($this->library, $op->status);
        }
    }

    /**
     * One pass of the healthcheck. There is nobody to be told of errors: what hooks throw is dropped, and the
     * next pass tries again.
     */
    public function sweep(): void
    {
        $op = $this->driver->op(fragile: true);
        try {
            $this->driver->run($op, $this->library->pool_op_sweep($this->handle, $op->address));
        } catch (\Throwable) {
        }
    }

    public function close(): void
    {
        $op = $this->driver->op(fragile: false);
        $this->driver->run($op, $this->library->pool_op_close($this->handle, $op->address));
        if ($op->status === Status::FORKED) {
            throw Status::exception($this->library, $op->status);
        }
    }

    /** Moves the breaker with the given function of the library. A closed pool has none to move. */
    public function move(string $function): void
    {
        $status = $this->library->$function($this->handle);
        $this->driver->wake();
        if ($status === Status::FORKED) {
            throw Status::exception($this->library, $status);
        }
    }

    public function setStrategy(?CircuitBreakerStrategy $strategy): void
    {
        if ($strategy === null) { // without one, nobody keeps this account
            $this->lent = \array_filter($this->lent, static fn (bool $known) => !$known);
        }
        $this->hooks->strategy = $strategy;
    }

    /** Does the strategy hear of a release without a question of the library? */
    public function reportsHere(): bool
    {
        return $this->hooks->strategy !== null && $this->hooks->beforeRelease === null;
    }

    /**
     * Closes, and lets the library forget the pool. What is lent then can still be released.
     */
    public function dispose(): void
    {
        if ($this->handle === 0) {
            return;
        }
        $error = $this->driver->abandonAll();
        try {
            $op = $this->driver->op(fragile: false);
            $this->driver->run($op, $this->library->pool_op_close($this->handle, $op->address));
        } catch (\Throwable $thrown) {
            $error = Op::chain($error, $thrown);
        }
        foreach (\array_keys($this->store->values) as $number) {
            $this->driver->forget($number);
        }
        $this->library->pool_unref($this->handle);
        $this->handle = 0;
        if ($error !== null) {
            throw $error;
        }
    }
}
