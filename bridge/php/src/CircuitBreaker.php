<?php

declare(strict_types=1);

namespace Async;

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
