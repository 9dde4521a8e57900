<?php

declare(strict_types=1);

namespace Revolt;

use Revolt\EventLoop\Driver;
use Revolt\EventLoop\Suspension;

/**
 * A stand-in for the part of Revolt's event loop that the adapter uses, with the same rules: callbacks run in
 * fibers, queued ones before all others, deferred ones in the next tick; the loop ends when nothing
 * referenced is left; a suspension is resumed once.
 */
final class EventLoop
{
    private static ?Driver $driver = null;

    /** @var \WeakMap<object, \WeakReference<Suspension>>|null */
    private static ?\WeakMap $suspensions = null;

    public static function getDriver(): Driver
    {
        return self::$driver ??= new Driver();
    }

    public static function queue(\Closure $closure, mixed ...$arguments): void
    {
        self::getDriver()->queue(static fn () => $closure(...$arguments));
    }

    public static function defer(\Closure $closure): string
    {
        return self::getDriver()->defer($closure);
    }

    public static function delay(float $delay, \Closure $closure): string
    {
        return self::getDriver()->delay($delay, $closure);
    }

    public static function cancel(string $callbackId): void
    {
        self::getDriver()->cancel($callbackId);
    }

    public static function unreference(string $callbackId): string
    {
        return self::getDriver()->unreference($callbackId);
    }

    public static function getSuspension(): Suspension
    {
        self::$suspensions ??= new \WeakMap();
        $flow = \Fiber::getCurrent() ?? self::getDriver();
        $suspension = (self::$suspensions[$flow] ?? null)?->get() ?? new Suspension(self::getDriver());
        self::$suspensions[$flow] = \WeakReference::create($suspension);
        return $suspension;
    }
}
