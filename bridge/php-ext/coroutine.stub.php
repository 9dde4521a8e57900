<?php

/** @generate-class-entries */

namespace Async;

/** @not-serializable */
final class Coroutine implements \Stringable
{
    private function __construct()
    {
    }

    public function getId(): int
    {
    }

    public function cancel(?AsyncCancellation $cancellation = null): void
    {
    }

    public function isStarted(): bool
    {
    }

    public function isRunning(): bool
    {
    }

    public function isSuspended(): bool
    {
    }

    public function isCompleted(): bool
    {
    }

    public function isCancellationRequested(): bool
    {
    }

    public function isCancelled(): bool
    {
    }

    public function getResult(): mixed
    {
    }

    public function getException(): ?\Throwable
    {
    }

    public function finally(\Closure $callback): void
    {
    }

    public function __toString(): string
    {
    }
}
