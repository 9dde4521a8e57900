<?php

// Twin: bridge/php-ext/runtime.c.

declare(strict_types=1);

namespace Async\Internal;

use Async\AsyncException;
use Async\Coroutine;

/**
 * What there is once in a script: the loop, which coroutine is which fiber's, and failures nobody awaited.
 */
final class Runtime
{
    private const FATAL = E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR;

    /** Who waits or spawns asks loop(). */
    public static ?Loop $loop = null;

    /** The process the loop is of: a child of pcntl_fork() does not run what its parent has spawned. */
    private static int $process = 0;

    /** Weakly: a coroutine knows its fiber. @var \WeakMap<\Fiber, \WeakReference<Coroutine>>|null */
    private static ?\WeakMap $coroutines = null;

    private static ?Coroutine $main = null;

    /** @var array<int, \Throwable> by their ids */
    private static array $failed = [];

    /** Will end() be called yet? Who spawns or waits sees to it: see watch(). */
    public static bool $watched = false;

    private static bool $ended = false;

    /**
     * The loop of this script: Revolt's if it is installed. Whoever waits or spawns gets it here.
     */
    public static function loop(): Loop
    {
        $fiber = \Fiber::getCurrent();
        // A coroutine runs in the loop that spawned it; asking for the process is a system call.
        if ($fiber !== null && isset(self::$coroutines[$fiber]) && self::$watched) {
            return self::$loop;
        }
        if (self::$process !== getmypid()) {
            self::$process = getmypid();
            self::$loop = null;
            self::$main = null;
            self::$failed = [];
        }
        self::$watched || self::watch();
        if (self::$loop === null) {
            // Made first: while it is, an autoloader, or a destructor, may ask for it, too.
            $loop = class_exists(\Revolt\EventLoop::class) ? new RevoltLoop() : new FiberLoop();
            self::$loop ??= $loop;
        }
        return self::$loop;
    }

    /**
     * Has end() called, also by a script that ends already: shutdown functions may spawn and wait, too.
     */
    public static function watch(): void
    {
        self::$watched = true;
        register_shutdown_function(self::end(...));
    }

    /**
     * The coroutine that runs; null in a fiber that is none.
     */
    public static function current(): ?Coroutine
    {
        $fiber = \Fiber::getCurrent();
        if ($fiber !== null) {
            return (self::$coroutines[$fiber] ?? null)?->get();
        }
        if (self::$main === null) {
            self::loop();
            $main = Coroutine::ofMainFlow();
            self::$main ??= $main;
            self::$ended && self::$main->endOfMainFlow();
        }
        return self::$main;
    }

    /**
     * Says that the fiber which runs is this coroutine; null: no more.
     */
    public static function enter(?Coroutine $coroutine): void
    {
        self::$coroutines ??= new \WeakMap();
        if ($coroutine !== null) {
            self::$coroutines[\Fiber::getCurrent()] = \WeakReference::create($coroutine);
        } else {
            unset(self::$coroutines[\Fiber::getCurrent()]);
        }
    }

    /**
     * A flow ended with $error, and nobody has been told yet.
     */
    public static function failed(\Throwable $error): void
    {
        self::$failed[spl_object_id($error)] = $error;
    }

    /**
     * Somebody was told.
     */
    public static function told(\Throwable $error): void
    {
        unset(self::$failed[spl_object_id($error)]);
    }

    /**
     * The end of the script: what was spawned runs to its end, then what failed is shown.
     */
    private static function end(): void
    {
        self::$watched = false;
        if (self::$process !== getmypid()) {
            return;
        }
        if (((error_get_last()['type'] ?? 0) & self::FATAL) !== 0) {
            // Later: the other functions find the pools as they were. With the extension there are none of these.
            class_exists(Operations::class, false) && register_shutdown_function(Operations::disposeSilently(...));
            return;
        }
        self::$ended = true;
        self::$main?->endOfMainFlow();
        if (self::$loop->finish() && self::$failed !== []) {
            $failed = array_values(self::$failed);
            self::$failed = [];
            // Later: an exception from a shutdown function keeps PHP from calling the others.
            register_shutdown_function(self::report(...), $failed);
        }
    }

    /**
     * @param non-empty-list<\Throwable> $failed
     */
    private static function report(array $failed): void
    {
        $handler = set_exception_handler(null);
        if ($handler !== null) {
            array_walk($failed, static fn (\Throwable $error) => $handler($error));
            return;
        }
        if (count($failed) === 1) {
            throw $failed[0];
        }
        $lines = array_map(static fn (\Throwable $error): string => sprintf(
            '  %s: %s in %s:%d',
            $error::class,
            $error->getMessage(),
            $error->getFile(),
            $error->getLine(),
        ), $failed);
        throw new AsyncException(
            count($failed) . " coroutines failed and nobody awaited them:\n" . implode("\n", $lines),
            previous: $failed[0],
        );
    }
}
