<?php

/** @generate-class-entries */

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

/**
 * The service behind a pool: answering, given up, or on probation.
 */
enum CircuitBreakerState
{
    /** Everything works, resources are lent. */
    case ACTIVE;
    /** The service is unavailable: acquire() throws a ServiceUnavailableException at once. */
    case INACTIVE;
    /** On probation: a few resources are lent, as probes. */
    case RECOVERING;
}

/**
 * Something that can be switched off while the service behind it does not answer.
 */
interface CircuitBreaker
{
    /**
     * The state it is in.
     */
    public function getState(): CircuitBreakerState;

    /**
     * Moves to ACTIVE: everything works.
     */
    public function activate(): void;

    /**
     * Moves to INACTIVE: the service is given up.
     */
    public function deactivate(): void;

    /**
     * Moves to RECOVERING: the service is tried again.
     */
    public function recover(): void;

    /**
     * Lets a strategy decide about the state; null: none, it is changed by hand only.
     */
    public function setCircuitBreakerStrategy(?CircuitBreakerStrategy $strategy): void;
}
