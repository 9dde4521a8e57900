<?php

// Twin: bridge/php-ext/options.c.

declare(strict_types=1);

namespace Async\Internal;

use FFI;
use FFI\CData;

/**
 * The numbers that a pool is made with: which make none, what the library is told of them, and how often a pass comes.
 */
final class Options
{
    private const MOST = 0xFFFFFFFF; // the library counts places and milliseconds in 32 bits

    /** Passes come so many times in the shortest limit, within these milliseconds; or so often, where there is none. */
    private const PARTS = 8;
    private const LEAST_MS = 100;
    private const MOST_MS = 30_000;
    private const IDLE_MS = 1000;

    /** The numbers of the constructor's arguments. */
    private const NUMBERS = [
        'min' => 6,
        'max' => 7,
        'healthcheckInterval' => 8,
        'maxLifetime' => 9,
        'lifetimeJitter' => 10,
        'idleTimeout' => 11,
        'maxUses' => 12,
        'checkAfter' => 13,
        'leakAfter' => 14,
        'maxWaiting' => 16,
        'createRetry' => 17,
        'createRetryMax' => 18,
        'discardOn' => 22,
        'minIdle' => 23,
    ];

    public function __construct(
        public readonly int $min,
        public readonly int $max,
        public readonly int $healthcheckInterval,
        public readonly int $maxLifetime,
        public readonly int $lifetimeJitter,
        public readonly int $idleTimeout,
        public readonly int $maxUses,
        public readonly int $checkAfter,
        public readonly int $leakAfter,
        public readonly int $maxWaiting,
        public readonly int $createRetry,
        public readonly int $createRetryMax,
        public readonly int $minIdle,
        public readonly bool $lifo,
        public readonly bool $lazyMin,
        public readonly bool $createBehind,
        public readonly bool $timed,
    ) {
    }

    /**
     * What is wrong with them, as a \ValueError says it; null: nothing.
     *
     * @param bool $checks there is a beforeAcquire
     * @param bool $hears there is an onLeak
     * @param array<mixed> $discardOn
     */
    public function fault(bool $checks, bool $hears, array $discardOn): ?string
    {
        $fault = self::ofSizes($this->min, $this->max) ?? $this->ofLimits() ?? match (true) {
            $this->lifetimeJitter > $this->maxLifetime => 'lifetimeJitter must be <= maxLifetime',
            $this->checkAfter > 0 && !$checks => 'checkAfter must be 0 without beforeAcquire',
            $this->leakAfter === 0 && $hears => 'leakAfter must be >= 1 with onLeak',
            $this->createRetryMax > 0 && $this->createRetry === 0 => 'createRetryMax must be 0 without createRetry',
            $this->createRetryMax > 0 && $this->createRetryMax < $this->createRetry
                => 'createRetryMax must be >= createRetry',
            $this->minIdle > $this->max => 'minIdle must be <= max',
            default => null,
        } ?? self::ofClasses($discardOn);

        return $fault === null ? null : self::say($fault, self::NUMBERS);
    }

    /** The same for sizes that are to be others. */
    public static function faultOfResize(int $min, int $max): ?string
    {
        $fault = self::ofSizes($min, $max);

        return $fault === null ? null : self::say($fault, ['min' => 1, 'max' => 2]);
    }

    /** The same for what a trim keeps. */
    public static function faultOfTrim(int $keepIdle): ?string
    {
        $fault = self::ofRange('keepIdle', $keepIdle);

        return $fault === null ? null : self::say($fault, ['keepIdle' => 1]);
    }

    /** The same for what a threshold is set to. */
    public static function faultOfThreshold(int $failures, int $openMs, int $successes): ?string
    {
        $number = 0;
        foreach (['failures' => $failures, 'openMs' => $openMs, 'successes' => $successes] as $name => $value) {
            $number++;
            $fault = self::ofRange($name, $value);
            if ($fault !== null) {
                return self::say($fault, [$name => $number]);
            }
        }

        return null;
    }

    /** Tells the library. */
    public function configure(CData $config, FFI $library): void
    {
        // Passes may never come, in a script that never waits: who acquires reads the clock then.
        $readsClock = $this->timed || $this->maxLifetime > 0;
        $config->flags |= ($this->lifo ? $library->POOL_F_LIFO : 0)
            | ($this->createBehind ? $library->POOL_F_CREATE_BEHIND : 0)
            | ($readsClock ? $library->POOL_F_TIMED : 0);
        $config->min_size = $this->min;
        $config->max_size = $this->max;
        $config->max_lifetime_ms = $this->maxLifetime;
        $config->lifetime_jitter_ms = $this->lifetimeJitter;
        $config->idle_timeout_ms = $this->idleTimeout;
        $config->max_uses = $this->maxUses;
        $config->check_after_ms = $this->checkAfter;
        $config->leak_after_ms = $this->leakAfter;
        $config->max_waiting = $this->maxWaiting;
        $config->create_retry_ms = $this->createRetry;
        $config->create_retry_max_ms = $this->createRetryMax;
        $config->min_idle = $this->minIdle;
    }

    /**
     * Milliseconds between two passes; 0: there are none.
     *
     * @param int $min as it is by now
     * @param bool $checks there is a healthcheck
     */
    public function interval(int $min, bool $checks): int
    {
        $limits = \array_filter([$this->maxLifetime, $this->idleTimeout, $this->leakAfter]);
        $hasWork = $checks || $min > 0 || $this->minIdle > 0 || $limits !== [];

        return match (true) {
            $this->healthcheckInterval > 0 => $hasWork ? $this->healthcheckInterval : 0,
            $limits !== [] => \max(self::LEAST_MS, \min(self::MOST_MS, \intdiv(\min($limits), self::PARTS))),
            $this->minIdle > 0 || $this->lazyMin => self::IDLE_MS,
            default => 0,
        };
    }

    /** Is it noted who acquires? */
    public function notes(): bool
    {
        return $this->timed || $this->leakAfter > 0;
    }

    private static function ofSizes(int $min, int $max): ?string
    {
        return match (true) {
            $min < 0 => 'min must be >= 0',
            $max < 1 => 'max must be >= 1',
            $min > $max => 'min must be <= max',
            $max > self::MOST => 'max must be <= ' . self::MOST,
            default => null,
        };
    }

    private function ofLimits(): ?string
    {
        foreach (\array_diff(\array_keys(self::NUMBERS), ['min', 'max', 'discardOn']) as $name) {
            $fault = self::ofRange($name, $this->$name);
            if ($fault !== null) {
                return $fault;
            }
        }

        return null;
    }

    private static function ofRange(string $name, int $value): ?string
    {
        return match (true) {
            $value < 0 => "$name must be >= 0",
            $value > self::MOST => "$name must be <= " . self::MOST,
            default => null,
        };
    }

    /** @param array<mixed> $discardOn */
    private static function ofClasses(array $discardOn): ?string
    {
        foreach ($discardOn as $class) {
            if (!\is_string($class) || !(\is_a($class, \Throwable::class, true) || \interface_exists($class))) {
                return 'discardOn must be a list of classes of exceptions, '
                    . (\is_string($class) ? $class : \get_debug_type($class)) . ' given';
            }
        }

        return null;
    }

    /** @param array<string, int> $numbers those of the arguments */
    private static function say(string $fault, array $numbers): string
    {
        [$name, $rule] = \explode(' ', $fault, 2);

        return "Argument #$numbers[$name] (\$$name) $rule";
    }
}
