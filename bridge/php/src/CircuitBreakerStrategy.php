<?php

declare(strict_types=1);

namespace Async;

/**
 * Decides when a circuit breaker changes its state, by calling its activate(), deactivate() or recover().
 *
 * A strategy may also have a method shouldRecover(): bool. Who finds the breaker INACTIVE asks it then; true
 * moves the breaker to RECOVERING, with that caller as the first probe.
 */
interface CircuitBreakerStrategy
{
    /**
     * A resource was given back and kept.
     *
     * @param mixed $source the circuit breaker, such as the Pool
     */
    public function reportSuccess(mixed $source): void;

    /**
     * A resource was given back and refused.
     *
     * @param mixed $source the circuit breaker, such as the Pool
     * @param \Throwable $error what beforeRelease threw, or an exception that says it refused
     */
    public function reportFailure(mixed $source, \Throwable $error): void;
}
