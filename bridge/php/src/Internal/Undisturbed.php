<?php

// Twin: bridge/php-ext/undisturbed.c.

declare(strict_types=1);

namespace Async\Internal;

/**
 * A few statements between which no other PHP code runs: neither what the cycle collector destroys nor a signal handler.
 *
 *     $was = Undisturbed::begin();
 *     ... neither calls nor drops what is not the package's ...
 *     Undisturbed::end($was);
 *
 * Everywhere else the package reckons with both, wherever something is called or dropped: what it writes is written
 * in one statement, or in an order in which each step is true by itself. Where there is no such order, there is this.
 */
final class Undisturbed
{
    private const COLLECTOR = 1;
    private const SIGNALS = 2;

    private static ?bool $hasSignals = null;

    /** @return int for end() */
    public static function begin(): int
    {
        $was = 0;
        if (self::$hasSignals ??= \function_exists('pcntl_async_signals')) {
            $was |= \pcntl_async_signals(false) ? self::SIGNALS : 0;
        }
        if (\gc_enabled()) {
            \gc_disable();
            $was |= self::COLLECTOR;
        }

        return $was;
    }

    public static function end(int $was): void
    {
        if ($was & self::COLLECTOR) {
            \gc_enable();
        }
        if ($was & self::SIGNALS) {
            \pcntl_async_signals(true);
            \pcntl_signal_dispatch(); // those that came meanwhile
        }
    }

    private function __construct()
    {
    }
}
