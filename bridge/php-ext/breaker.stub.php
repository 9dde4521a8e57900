<?php

/** @generate-class-entries */

namespace Async;

interface CircuitBreakerStrategy
{
    public function reportSuccess(mixed $source): void;

    public function reportFailure(mixed $source, \Throwable $error): void;
}

enum CircuitBreakerState
{
    case ACTIVE;
    case INACTIVE;
    case RECOVERING;
}

interface CircuitBreaker
{
    public function getState(): CircuitBreakerState;

    public function activate(): void;

    public function deactivate(): void;

    public function recover(): void;

    public function setCircuitBreakerStrategy(?CircuitBreakerStrategy $strategy): void;
}
