<?php

declare(strict_types=1);

namespace Async;

use Async\Internal\Hooks;
use Async\Internal\Library;
use Async\Internal\Op;
use Async\Internal\Operations;
use Async\Internal\Runtime;
use Async\Internal\Status;
use Async\Internal\Store;
use FFI;

/**
 * Lends resources that a factory makes, at most so many at once, to coroutines that take turns.
 *
 *     $pool = new Pool(factory: fn() => new Connection(), destructor: fn($c) => $c->close(), max: 8);
 *     $connection = $pool->acquire(timeout: 5000);
 *     try {
 *         $connection->query('...');
 *     } finally {
 *         $pool->release($connection);
 *     }
 *
 * Who comes when all are lent waits, first come, first served. A resource is any value but null. Hooks may
 * throw, suspend and use the pool. Letting the pool go closes it; where destructors wait, close it before:
 * PHP forbids fibers to switch while objects are destroyed (until PHP 8.4).
 */
final class Pool implements \Countable, CircuitBreaker
{
    private const MOST = 0xFFFFFFFF; // the library counts places in 32 bits

    private ?FFI $library = null;
    private ?Operations $operations = null;

    /** The resources by number, and the numbers of objects: the store's own arrays, as the handle is the books'. */
    private array $values = [];
    private array $numbers = [];

    /** The pool as the library knows it; 0: not yet, or gone. */
    private int $handle = 0;

    /** The healthcheck's timer; 0: none. */
    private int $timer = 0;

    /**
     * Creates a pool, and $min resources in it.
     *
     * A hook refuses a resource with false, or by throwing; whatever else it answers is fine.
     *
     * @param callable(): mixed $factory makes a resource; what it throws reaches who needed one
     * @param null|callable(mixed): mixed $destructor ends a resource that leaves the pool
     * @param null|callable(mixed): mixed $healthcheck is this idle resource still good? Asked periodically
     * @param null|callable(mixed): mixed $beforeAcquire may this idle resource be lent?
     * @param null|callable(mixed): mixed $beforeRelease may this returned resource be kept?
     * @param int $min resources made up front, and made up for by healthchecks
     * @param int $max resources at most, idle or lent
     * @param int $healthcheckInterval milliseconds between two passes over the idle resources; 0: none
     * @param list<class-string> $discardOn exceptions after which with() discards its resource, and all that extend them
     *
     * @throws \ValueError when a number is out of range; no hook was called
     */
    public function __construct(
        callable $factory,
        ?callable $destructor = null,
        ?callable $healthcheck = null,
        ?callable $beforeAcquire = null,
        ?callable $beforeRelease = null,
        int $min = 0,
        int $max = 10,
        int $healthcheckInterval = 0,
        array $discardOn = [],
    ) {
        if ($this->operations !== null) {
            throw new PoolException('Pool is already initialized');
        }
        $fault = match (true) {
            $min < 0 => '#6 ($min) must be >= 0',
            $max < 1 => '#7 ($max) must be >= 1',
            $min > $max => '#6 ($min) must be <= max',
            $healthcheckInterval < 0 => '#8 ($healthcheckInterval) must be >= 0',
            $max > self::MOST => '#7 ($max) must be <= ' . self::MOST,
            $healthcheckInterval > self::MOST => '#8 ($healthcheckInterval) must be <= ' . self::MOST,
            default => null,
        };
        if ($fault !== null) {
            throw new \ValueError(__METHOD__ . '(): Argument ' . $fault);
        }
        foreach ($discardOn as $class) {
            if (!\is_string($class) || !(\is_a($class, \Throwable::class, true) || \interface_exists($class))) {
                throw new \ValueError(\sprintf(
                    '%s(): Argument #9 ($discardOn) must be a list of classes of exceptions, %s given',
                    __METHOD__,
                    \is_string($class) ? $class : \get_debug_type($class),
                ));
            }
        }
        $hooks = new Hooks(
            $factory(...),
            $destructor === null ? null : $destructor(...),
            $healthcheck === null ? null : $healthcheck(...),
            $beforeAcquire === null ? null : $beforeAcquire(...),
            $beforeRelease === null ? null : $beforeRelease(...),
            \array_values($discardOn),
        );
        $this->library = Library::ffi();
        $store = new Store();
        $loop = Runtime::loop();
        $handle = Operations::create($this->library, $hooks, $min, $max);
        $this->operations = new Operations($this->library, $loop, $hooks, $store, $handle);
        $this->values = &$store->values;
        $this->numbers = &$store->numbers;
        $this->handle = &$this->operations->books->handle;
        try {
            $this->operations->fill();
        } catch (\Throwable $error) {
            throw $this->giveUp($error);
        }
        if ($healthcheckInterval > 0 && ($healthcheck !== null || $min > 0) && !$this->isClosed()) {
            $this->timer = self::sweepEvery($healthcheckInterval, \WeakReference::create($this));
        }
    }

    /**
     * Borrows a resource: the one that has been idle longest, or a new one. If all are lent, waits.
     *
     * @param int $timeout milliseconds to wait at most; 0: for ever
     *
     * @throws TimeoutException when none became free in time
     * @throws ServiceUnavailableException when the circuit breaker is or gets open
     * @throws PoolException when the pool is or gets closed, or the factory answered null
     * @throws \Throwable what the factory or a destructor threw
     */
    public function acquire(int $timeout = 0): mixed
    {
        if ($timeout < 0) {
            throw new \ValueError(__METHOD__ . '(): Argument #1 ($timeout) must be >= 0');
        }
        $number = $this->library?->pool_take($this->handle);

        return $number ? $this->values[$number] : ($this->operations ?? throw self::uninitialized())->acquire($timeout);
    }

    /**
     * Borrows a resource if that needs no waiting for others; null: none.
     *
     * @throws \Throwable what the factory or a destructor threw
     */
    public function tryAcquire(): mixed
    {
        $number = $this->library?->pool_take($this->handle);

        return $number ? $this->values[$number] : $this->operations?->acquire(null);
    }

    /**
     * Gives a resource back. It is kept, or destroyed if beforeRelease refuses it or the pool is closed; who
     * has waited longest has the place then.
     *
     * @throws PoolException when this pool does not lend it: nothing has changed
     * @throws \Throwable what the destructor threw
     */
    public function release(mixed $resource): void
    {
        $number = \is_object($resource) ? $this->numbers[\spl_object_id($resource)] ?? null : null;
        if (
            $number === null
            || $this->library->pool_release($this->handle, $number) !== Status::OK
        ) {
            ($this->operations ?? throw self::uninitialized())->release($resource, $number, $this);
        }
    }

    /**
     * Gives a resource back that is not to be lent again, a connection that is broken for one: it is destroyed, and who
     * has waited longest has the place. Neither beforeRelease nor the circuit breaker hear of it.
     *
     * @throws PoolException when this pool does not lend it: nothing has changed
     * @throws \Throwable what the destructor threw
     */
    public function discard(mixed $resource): void
    {
        ($this->operations ?? throw self::uninitialized())->discard($resource);
    }

    /**
     * Keeps a resource for good: it is the caller's from now on and not the pool's, which calls no hook for it any more.
     * Who has waited longest has the place.
     *
     * @throws PoolException when this pool does not lend it: nothing has changed
     */
    public function detach(mixed $resource): void
    {
        ($this->operations ?? throw self::uninitialized())->detach($resource);
    }

    /**
     * Lends a resource for the time of a call, and gives it back, whatever the call throws.
     *
     *     $rows = $pool->with(fn(Connection $connection) => $connection->query('...'));
     *
     * After an exception that discardOn names it is discarded. If the call itself has released, discarded or detached
     * it, that holds, whoever has it by then. Do not keep it for later.
     *
     * @param callable(mixed): mixed $use what is called with the resource
     * @param int $timeout milliseconds to wait at most; 0: for ever
     *
     * @return mixed what $use answered
     *
     * @throws \Throwable what $use threw, and what acquire() and release() throw
     */
    public function with(callable $use, int $timeout = 0): mixed
    {
        if ($timeout < 0) {
            throw new \ValueError(__METHOD__ . '(): Argument #2 ($timeout) must be >= 0');
        }

        return ($this->operations ?? throw self::uninitialized())->with($use(...), $timeout, $this);
    }

    /**
     * Stops lending: who waits gets a PoolException, what is idle is destroyed, and what is lent will be when
     * it is released.
     *
     * @throws \Throwable what the destructors threw, the last one first in the chain
     */
    public function close(): void
    {
        $this->stop();
        $this->operations?->close();
    }

    public function isClosed(): bool
    {
        return $this->library?->pool_is_closed($this->handle) ?? true;
    }

    /** How many resources there are, or are being made: idle and active. */
    public function count(): int
    {
        return $this->library?->pool_count($this->handle) ?? 0;
    }

    /** How many are free; those that a waiter has been promised are included. */
    public function idleCount(): int
    {
        return $this->library?->pool_idle_count($this->handle) ?? 0;
    }

    /** How many are lent, being made or destroyed, or in a hook. */
    public function activeCount(): int
    {
        return $this->library?->pool_active_count($this->handle) ?? 0;
    }

    public function setCircuitBreakerStrategy(?CircuitBreakerStrategy $strategy): void
    {
        ($this->operations ?? throw self::uninitialized())->setStrategy($strategy);
    }

    public function getState(): CircuitBreakerState
    {
        $this->operations ?? throw self::uninitialized();

        return match ($this->library->pool_state($this->handle)) {
            $this->library->POOL_CIRCUIT_ACTIVE => CircuitBreakerState::ACTIVE,
            $this->library->POOL_CIRCUIT_INACTIVE => CircuitBreakerState::INACTIVE,
            $this->library->POOL_CIRCUIT_RECOVERING => CircuitBreakerState::RECOVERING,
        };
    }

    public function activate(): void
    {
        ($this->operations ?? throw self::uninitialized())->move('pool_activate');
    }

    public function deactivate(): void
    {
        ($this->operations ?? throw self::uninitialized())->move('pool_deactivate');
    }

    public function recover(): void
    {
        ($this->operations ?? throw self::uninitialized())->move('pool_recover');
    }

    public function __destruct()
    {
        $this->stop();
        $this->operations?->dispose();
    }

    public function __serialize(): array
    {
        throw new \Exception("Serialization of 'Async\\Pool' is not allowed");
    }

    public function __unserialize(array $data): void
    {
        throw new \Exception("Unserialization of 'Async\\Pool' is not allowed");
    }

    public function __debugInfo(): array
    {
        return ['idle' => $this->idleCount(), 'active' => $this->activeCount(), 'closed' => $this->isClosed()];
    }

    /** There is one pool behind an object. */
    private function __clone()
    {
    }

    private static function uninitialized(): PoolException
    {
        return new PoolException('Pool is not initialized');
    }

    /** Ends the healthchecks. */
    private function stop(): void
    {
        if ($this->timer !== 0) {
            Runtime::loop()->cancel($this->timer);
            $this->timer = 0;
        }
    }

    /** Destroys what was made, of a pool that could not be filled. The error stays what its caller sees. */
    private function giveUp(\Throwable $error): \Throwable
    {
        $operations = $this->operations;
        $this->operations = $this->library = null;
        try {
            $operations->dispose();
        } catch (\Throwable $another) {
            Op::chain($another, $error);
        }

        return $error;
    }

    /** The timer knows the pool weakly; a pass that runs keeps it. */
    private static function sweepEvery(int $milliseconds, \WeakReference $weak): int
    {
        return Runtime::loop()->every($milliseconds, static function () use ($weak): void {
            $pool = $weak->get();
            $pool?->operations?->sweep();
        });
    }
}
