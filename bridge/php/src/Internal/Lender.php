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
        $config->asks = Ask::WANT_DESTROY
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
        $begun = Status::CLOSED;
        if ($this->handle !== 0 && $timeout === null) {
            $begun = $this->library->pool_op_try_acquire($this->handle, $op->address);
        } elseif ($this->handle !== 0) {
            $begun = Status::OK;
            if ($this->library->pool_op_join($this->handle, $op->address, $timeout)) {
                $number = $this->driver->queue($op, $timeout === 0 ? Loop::NEVER : Timers::in($timeout));
                if ($number !== 0) {
                    return $this->store->values[$number];
                }
            }
        }
        $number = $this->driver->run($op, $begun);
        if ($op->status === Status::OK) {
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
     * @param int|list<int>|null $number its number, of an object that has one
     * @param mixed $source whom a strategy is told as the pool
     */
    public function release(mixed $resource, int|array|null $number, mixed $source): void
    {
        if (\is_int($number) && $this->driver->handOn($number)) {
            return;
        }
        $status = Status::NOT_OWNED;
        foreach ($this->store->find($resource) as $number) {
            $status = $this->handle === 0
                ? $this->releaseLate($number, $source)
                : $this->giveBack($number, $source);
            if ($status !== Status::NOT_OWNED) {
                break;
            }
        }
        if ($status !== Status::OK && $status !== Status::CLOSED) { // destroyed by a destruction of the pool meanwhile
            throw Status::exception($this->library, $status);
        }
    }

    private function giveBack(int $number, mixed $source): int
    {
        $status = $this->library->pool_release($this->handle, $number);
        if ($status !== Status::PENDING) { // nothing was to be asked or decided
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
        $this->hooks->strategy = $strategy;
        $this->library->pool_set_asks($this->handle, $strategy === null ? 0 : Ask::WANT_STRATEGY);
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
