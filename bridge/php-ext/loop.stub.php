<?php

/** @generate-class-entries */

namespace Async\Internal;

interface Loop
{
    /**
     * @var int
     */
    public const NEVER = 0x7fffffffffffffff;
}

abstract class WaitLoop implements Loop
{
    public function waitId(): int
    {
    }

    public function suspend(
        int $id,
        int $untilNs = Loop::NEVER,
        ?\Stringable $for = null,
        bool $follows = false,
    ): mixed {
    }

    public function pass(): void
    {
    }

    public function resume(int $id, mixed $value = null): void
    {
    }

    public function throw(int $id, \Throwable $error): void
    {
    }

    public function spawn(\Closure $body, bool $background = false): void
    {
    }

    public function every(int $milliseconds, \Closure $callback): int
    {
    }

    public function cancel(int $timer): void
    {
    }

    public function finish(): bool
    {
    }
}

/** @not-serializable */
final class FiberLoop extends WaitLoop
{
}

/** @not-serializable */
final class RevoltLoop extends WaitLoop
{
    private static function queued(): void
    {
    }

    private static function turn(string $id): void
    {
    }

    private static function ring(string $id): void
    {
    }

    /** @param resource $stream */
    private static function ready(string $id, $stream): void
    {
    }
}
