<?php

/** @generate-class-entries */

namespace Async;

/**
 * @strict-properties
 * @not-serializable
 */
final class Pool implements \Countable, CircuitBreaker
{
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
    ) {}

    public function acquire(int $timeout = 0): mixed {}

    public function tryAcquire(): mixed {}

    public function release(mixed $resource): void {}

    public function discard(mixed $resource): void {}

    public function detach(mixed $resource): void {}

    public function with(callable $use, int $timeout = 0): mixed {}

    public function close(): void {}

    public function isClosed(): bool {}

    public function count(): int {}

    public function idleCount(): int {}

    public function activeCount(): int {}

    public function setCircuitBreakerStrategy(?CircuitBreakerStrategy $strategy): void {}

    public function getState(): CircuitBreakerState {}

    public function activate(): void {}

    public function deactivate(): void {}

    public function recover(): void {}

    public function __destruct() {}

    public function __debugInfo(): array {}

    private function __clone(): void {}
}
