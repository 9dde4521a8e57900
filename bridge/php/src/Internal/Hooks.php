<?php

// Twin: bridge/php-ext/hooks.c.
// Without strict_types: a hook is called as PHP calls callbacks, with its own file's rules about types only.

namespace Async\Internal;

use Async\AsyncCancellation;
use Async\Budget;
use Async\CircuitBreakerStrategy;
use Async\Lend;

/**
 * The callables of a pool, and what their outcomes mean: only the boolean false refuses a resource, and so
 * does an exception. A cancellation is no verdict: it leaves here, for the operation to end with.
 */
final class Hooks
{
    public ?CircuitBreakerStrategy $strategy = null;

    /**
     * @param list<class-string> $discardOn what says that with() is not to give back
     * @param Budget|null $budget what each resource needs a place of
     * @param \WeakReference<\Async\Pool>|null $pool for which it asks
     */
    public function __construct(
        private readonly \Closure $factory,
        public readonly ?\Closure $destructor,
        public readonly ?\Closure $healthcheck,
        public readonly ?\Closure $beforeAcquire,
        public readonly ?\Closure $beforeRelease,
        public readonly ?\Closure $onLeak,
        private readonly array $discardOn,
        public readonly ?Budget $budget,
        private readonly ?\WeakReference $pool,
    ) {
    }

    /**
     * Makes a resource: its number in the store.
     *
     * @param int|null $timeLeft milliseconds that who needs it has left; null: there is no deadline
     */
    public function create(Store $store, ?int $timeLeft): int
    {
        $number = 0;
        $this->budget?->take($this->pool->get(), $timeLeft);
        try {
            $value = ($this->factory)();
            if ($value === null) { // tryAcquire() answers null for "none"
                throw Exceptions::ofFactory(null);
            }

            return $number = $store->add($value);
        } finally {
            $number !== 0 || $this->budget?->give();
        }
    }

    /** May this idle resource be lent? */
    public function mayLend(mixed $resource): bool
    {
        try {
            return $this->beforeAcquire === null || ($this->beforeAcquire)($resource) !== false;
        } catch (AsyncCancellation $cancellation) {
            throw $cancellation;
        } catch (\Throwable) {
            return false;
        }
    }

    /** Is this idle resource still good? Nobody waits for a check, so a cancellation is a failure too. */
    public function isHealthy(mixed $resource): bool
    {
        try {
            return $this->healthcheck === null || ($this->healthcheck)($resource) !== false;
        } catch (\Throwable) {
            return false;
        }
    }

    /** Why this returned resource may not be kept; null: it may. */
    public function refusal(mixed $resource): ?\Throwable
    {
        try {
            return $this->beforeRelease === null || ($this->beforeRelease)($resource) !== false
                ? null
                : new \Exception('Resource validation failed');
        } catch (AsyncCancellation $cancellation) {
            throw $cancellation;
        } catch (\Throwable $error) {
            return $error;
        }
    }

    /** Hands a resource to who has it for the time of this call. */
    public function with(\Closure $use, mixed $resource): mixed
    {
        return $use($resource);
    }

    /** Does what was thrown there say that the resource is of no more use? */
    public function isToDiscard(\Throwable $error): bool
    {
        foreach ($this->discardOn as $class) {
            if ($error instanceof $class) {
                return true;
            }
        }

        return false;
    }

    /** Ends a resource; null: somebody else has. Its place is another's when its value has been let go. */
    public function destroy(mixed $resource): void
    {
        if ($resource === null) {
            return;
        }
        try {
            $this->destructor === null || ($this->destructor)($resource);
        } finally {
            try {
                $resource = null;
            } finally {
                $this->budget?->give();
            }
        }
    }

    /** Tells the strategy of a returned resource. What it throws changes nothing. */
    public function report(mixed $source, ?\Throwable $refusal): void
    {
        try {
            if ($refusal === null) {
                $this->strategy?->reportSuccess($source);
            } else {
                $this->strategy?->reportFailure($source, $refusal);
            }
        } catch (AsyncCancellation $cancellation) {
            throw $cancellation;
        } catch (\Throwable) {
        }
    }

    /** Tells of what is lent for too long. What it throws nobody is there to be told of. */
    public function leaked(Lend $lend): void
    {
        try {
            $this->onLeak === null || ($this->onLeak)($lend);
        } catch (\Throwable) {
        }
    }

    /** The breaker is open: may this caller probe? */
    public function shouldRecover(): bool
    {
        try {
            return $this->strategy !== null
                && \method_exists($this->strategy, 'shouldRecover')
                && $this->strategy->shouldRecover() === true;
        } catch (AsyncCancellation $cancellation) {
            throw $cancellation;
        } catch (\Throwable) {
            return false;
        }
    }
}
