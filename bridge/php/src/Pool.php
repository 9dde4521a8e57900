<?php

declare(strict_types=1);

namespace Async;

use Async\Internal\Hooks;
use Async\Internal\Library;
use Async\Internal\Maintenance;
use Async\Internal\Makers;
use Async\Internal\Op;
use Async\Internal\Operations;
use Async\Internal\Options;
use Async\Internal\Runtime;
use Async\Internal\Status;
use Async\Internal\Store;
use Async\Internal\StrictProperties;
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
 *
 * @template T
 */
final class Pool implements \Countable, CircuitBreaker
{
    use StrictProperties;

    private ?FFI $library = null;
    private ?Operations $operations = null;

    /** The resources by number, and the numbers of objects there once: the store's own, as the handle is the books'. */
    private array $values = [];
    private array $numbers = [];

    /** How many flows wait: a hint, which spares calls of the library. @var int */
    private $waiting = 0;

    /** The pool as the library knows it; 0: not yet, or gone. */
    private int $handle = 0;

    /** The same, where taking an idle resource is all there is to do; 0: more is to be done then. */
    private int $lane = 0;

    private ?Maintenance $maintenance = null;

    /** What each resource needs a place of; who lends and gives back has it beat. */
    private ?Budget $budget = null;

    /**
     * Creates a pool, and $min resources in it.
     *
     * A hook refuses a resource with false, or by throwing; whatever else it answers is fine. Of the options from
     * $maxLifetime on each is off at 0, null or false. What is too old, used up or idle for too long is destroyed when
     * it comes back, when somebody would be lent it, or by a pass in the background; leaks, and what is missing to $min
     * and $minIdle, are looked after by the same passes. They come every $healthcheckInterval or, where that is 0,
     * every eighth of the shortest limit (but at least 100 ms and at most 30 s), while some coroutine waits.
     *
     * @param callable(): T $factory makes a resource; what it throws reaches who needed one, see also TryLater
     * @param null|callable(T): mixed $destructor ends a resource that leaves the pool
     * @param null|callable(T): mixed $healthcheck is this idle resource still good? Asked periodically
     * @param null|callable(T): mixed $beforeAcquire may this idle resource be lent?
     * @param null|callable(T): mixed $beforeRelease may this returned resource be kept?
     * @param int $min resources made up front, and made up for by passes
     * @param int $max resources at most, idle or lent
     * @param int $healthcheckInterval milliseconds between two passes over the idle resources; 0: none, unless a limit
     *                                 needs them
     * @param int $maxLifetime milliseconds after which a resource is not lent again
     * @param int $lifetimeJitter each one's own lifetime is shorter by a random part of these milliseconds
     * @param int $idleTimeout milliseconds after which an idle one goes, while more than $min exist
     * @param int $maxUses lends after which a resource goes
     * @param int $checkAfter beforeAcquire is asked only about what was idle for so many milliseconds
     * @param int $leakAfter what is lent for more milliseconds is told to $onLeak, and counted
     * @param null|callable(Lend<T>): mixed $onLeak hears of it, once for each lend
     * @param int $maxWaiting how many may stand in line; one more gets an OverloadedException
     * @param int $createRetry milliseconds of the first pause after a creation that failed; who needs a resource waits
     *                         for it, in place of being thrown what it has thrown; each pause is twice the last
     * @param int $createRetryMax milliseconds of the longest pause; 0: 32 times $createRetry
     * @param bool $lifo what came back last is lent first; else what has been idle longest
     * @param bool $lazyMin the constructor makes nothing; the first pass makes $min
     * @param bool $createBehind no acquire() calls the factory: who finds nothing idle stands in line while a fiber of
     *                           the loop makes a resource, and takes what comes first; its deadline is kept
     * @param list<class-string> $discardOn exceptions after which with() discards, and all that extend them
     * @param int $minIdle so many are kept idle, beyond what is lent: a pass comes at once whenever fewer are
     * @param bool $timed lends are timed, and who acquires is noted: see lends() and stats(). Costs acquire() some time
     * @param Budget|null $budget what the factory needs a place of, which other pools have, too, also those of other
     *                            processes: a RedisBudget. While there is none, who needs a resource waits
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
        int $maxLifetime = 0,
        int $lifetimeJitter = 0,
        int $idleTimeout = 0,
        int $maxUses = 0,
        int $checkAfter = 0,
        int $leakAfter = 0,
        ?callable $onLeak = null,
        int $maxWaiting = 0,
        int $createRetry = 0,
        int $createRetryMax = 0,
        bool $lifo = false,
        bool $lazyMin = false,
        bool $createBehind = false,
        array $discardOn = [],
        int $minIdle = 0,
        bool $timed = false,
        ?Budget $budget = null,
    ) {
        if ($this->operations !== null) {
            throw new PoolException('Pool is already initialized');
        }
        $options = new Options(
            $min,
            $max,
            $healthcheckInterval,
            $maxLifetime,
            $lifetimeJitter,
            $idleTimeout,
            $maxUses,
            $checkAfter,
            $leakAfter,
            $maxWaiting,
            $createRetry,
            $createRetryMax,
            $minIdle,
            $lifo,
            $lazyMin,
            $createBehind,
            $timed,
        );
        $fault = $options->fault($beforeAcquire !== null, $onLeak !== null, $discardOn);
        if ($fault !== null) {
            throw new \ValueError(__METHOD__ . '(): ' . $fault);
        }
        $hooks = new Hooks(
            $factory(...),
            $destructor === null ? null : $destructor(...),
            $healthcheck === null ? null : $healthcheck(...),
            $beforeAcquire === null ? null : $beforeAcquire(...),
            $beforeRelease === null ? null : $beforeRelease(...),
            $onLeak === null ? null : $onLeak(...),
            \array_values($discardOn),
            $budget,
            $budget === null ? null : \WeakReference::create($this),
        );
        $this->library = Library::ffi();
        $store = new Store();
        $loop = Runtime::loop();
        $handle = Operations::create($this->library, $hooks, $options);
        $this->operations = new Operations($this->library, $loop, $hooks, $store, $handle, $options);
        $this->values = &$store->values;
        $this->handle = &$this->operations->books->handle;
        $this->waiting = &$this->operations->books->waiting;
        $this->numbers = &$store->objects;
        $this->budget = $budget;
        if (!$options->notes() && $minIdle === 0) {
            $this->lane = &$this->operations->books->handle;
        }
        $weak = \WeakReference::create($this);
        if ($createBehind) {
            $this->operations->makeBehind(self::later($weak, 'makeOne'));
        }
        try {
            $lazyMin || $this->operations->fill();
        } catch (\Throwable $error) {
            throw $this->giveUp($error);
        }
        if (!$this->isClosed()) {
            $this->maintenance = new Maintenance(
                $this->library,
                $options,
                $healthcheck !== null,
                self::later($weak, 'sweep'),
            );
            $this->operations->books->maintenance = $minIdle > 0 ? $this->maintenance : null;
            $this->maintenance->begin($min, $minIdle > 0 || ($lazyMin && $min > 0));
        }
    }

    /**
     * Borrows a resource: the one that has been idle longest, or a new one. If all are lent, waits.
     *
     * @param int $timeout milliseconds to wait at most; 0: for ever
     *
     * @return T
     *
     * @throws TimeoutException when none became free in time
     * @throws OverloadedException when as many wait as may
     * @throws ServiceUnavailableException when the circuit breaker is or gets open
     * @throws PoolException when the pool is or gets closed, or the factory answered null
     * @throws \Throwable what the factory or a destructor threw
     */
    public function acquire(int $timeout = 0): mixed
    {
        if ($timeout < 0) {
            throw new \ValueError(__METHOD__ . '(): Argument #1 ($timeout) must be >= 0');
        }
        $this->budget?->beat();
        $number = $this->waiting > 0 ? 0 : $this->library?->pool_take($this->lane);

        return $number ? $this->values[$number] : ($this->operations ?? throw self::uninitialized())->acquire($timeout);
    }

    /**
     * Borrows a resource if that needs no waiting for others; null: none. With createBehind it makes none.
     *
     * @return T|null
     *
     * @throws \Throwable what the factory or a destructor threw
     */
    public function tryAcquire(): mixed
    {
        $this->budget?->beat();
        $number = $this->library?->pool_take($this->lane);

        return $number ? $this->values[$number] : $this->operations?->acquire(null);
    }

    /**
     * Gives a resource back. It is kept, or destroyed if beforeRelease refuses it or the pool is closed; who
     * has waited longest has the place then.
     *
     * @param T $resource
     *
     * @throws PoolException when this pool does not lend it: nothing has changed
     * @throws \Throwable what the destructor threw
     */
    public function release(mixed $resource): void
    {
        $number = \is_object($resource) ? $this->numbers[\spl_object_id($resource)] ?? null : null;
        if ($this->waiting > 0 && $number !== null && $this->operations->books->handOn($number)) {
            $this->budget?->beat();

            return;
        }
        if (
            $number === null
            || $this->library->pool_release($this->handle, $number) !== Status::OK
        ) {
            ($this->operations ?? throw self::uninitialized())->release($resource, $number, $this);
        }
        $this->budget?->beat();
    }

    /**
     * Gives a resource back that is not to be lent again, a connection that is broken for one: it is destroyed, and who
     * has waited longest has the place. Neither beforeRelease nor the circuit breaker hear of it.
     *
     * @param T $resource
     *
     * @throws PoolException when this pool does not lend it: nothing has changed
     * @throws \Throwable what the destructor threw
     */
    public function discard(mixed $resource): void
    {
        ($this->operations ?? throw self::uninitialized())->discard($resource);
    }

    /**
     * Keeps a resource for good: it is the caller's from now on and not the pool's, which calls no hook for it any
     * more. Who has waited longest has the place.
     *
     * @param T $resource
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
     * @template R
     *
     * @param callable(T): R $use what is called with the resource
     * @param int $timeout milliseconds to wait at most; 0: for ever
     *
     * @return R what $use answered
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

    /**
     * Stops lending to newcomers, serves who stands in line, and waits until everything is back and destroyed. A caller
     * that holds a resource itself waits for it as long.
     *
     * @param int $timeout milliseconds to wait at most; 0: for ever. Then what is lent is destroyed when it comes back
     *
     * @throws TimeoutException when something was still lent
     * @throws \Throwable what the destructors threw
     */
    public function drain(int $timeout = 0): void
    {
        if ($timeout < 0) {
            throw new \ValueError(__METHOD__ . '(): Argument #1 ($timeout) must be >= 0');
        }
        $this->stop();
        $this->operations?->drain($timeout);
    }

    /**
     * Has nothing that exists now lent again: after a failover, or when credentials have changed. What is idle is
     * destroyed now, what is lent when it comes back. No lend ends, and nobody in line loses its place.
     *
     * @throws PoolException when the pool is closed
     * @throws \Throwable what the destructors threw
     */
    public function evict(): void
    {
        ($this->operations ?? throw self::uninitialized())->evict();
    }

    /**
     * Changes how many resources there may be, and are to be. Who waits is served at once where there is room; idle
     * ones above $max are destroyed now, lent ones when they come back. What is missing to $min the next pass makes.
     *
     * @throws \ValueError when a number is out of range
     * @throws PoolException when the pool is closed
     * @throws \Throwable what the destructors threw
     */
    public function resize(int $min, int $max): void
    {
        $fault = Options::faultOfResize($min, $max);
        if ($fault !== null) {
            throw new \ValueError(__METHOD__ . '(): ' . $fault);
        }
        ($this->operations ?? throw self::uninitialized())->resize($min, $max);
        $this->maintenance?->resized($min, $max, $this->operations->books);
    }

    /**
     * Destroys what is idle and not needed just now: $keepIdle are kept, the others go, what was idle longest first. What
     * passes would make again stays: minIdle, and min of all. This is no limit: the pool grows again as it is needed.
     *
     * @throws \ValueError when the number is out of range
     * @throws PoolException when the pool is closed
     * @throws \Throwable what the destructors threw
     */
    public function trim(int $keepIdle = 0): void
    {
        $fault = Options::faultOfTrim($keepIdle);
        if ($fault !== null) {
            throw new \ValueError(__METHOD__ . '(): ' . $fault);
        }
        ($this->operations ?? throw self::uninitialized())->trim($keepIdle);
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

    /** How many stand in line. */
    public function waitingCount(): int
    {
        return $this->library?->pool_waiting_count($this->handle) ?? 0;
    }

    /**
     * What has happened here since the pool was made.
     *
     * @throws PoolException when the pool was destructed
     */
    public function stats(): PoolStats
    {
        return ($this->operations ?? throw self::uninitialized())->stats->stats();
    }

    /**
     * Who has what: all that is lent, in no order.
     *
     * @return list<Lend<T>>
     */
    public function lends(): array
    {
        return $this->operations?->stats->lends() ?? [];
    }

    public function setCircuitBreakerStrategy(?CircuitBreakerStrategy $strategy): void
    {
        ($this->operations ?? throw self::uninitialized())->setStrategy($strategy);
    }

    /**
     * Has the library's own strategy decide about the circuit breaker, in place of the one before: it opens after so
     * many failures in a row (a resource that beforeRelease refused, or a factory that failed), lets probes through
     * after so many milliseconds, and closes after so many successes in a row.
     *
     * @param int $failures 0: no strategy any more
     * @param int $openMs milliseconds that it stays open before a caller may probe
     * @param int $successes 0 is taken as 1
     *
     * @throws \ValueError when a number is out of range
     */
    public function setThreshold(int $failures, int $openMs, int $successes = 1): void
    {
        $fault = Options::faultOfThreshold($failures, $openMs, $successes);
        if ($fault !== null) {
            throw new \ValueError(__METHOD__ . '(): ' . $fault);
        }
        ($this->operations ?? throw self::uninitialized())->setThreshold($failures, $openMs, $successes);
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

    /** Ends the passes. */
    private function stop(): void
    {
        $this->maintenance?->end();
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

    /** What the loop is given to call in the background: it knows the pool weakly, and keeps it while it runs. */
    private static function later(\WeakReference $weak, string $operation): \Closure
    {
        return static function () use ($weak, $operation): void {
            $pool = $weak->get();
            $pool?->operations?->$operation();
        };
    }
}
