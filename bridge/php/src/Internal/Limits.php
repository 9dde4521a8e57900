<?php

declare(strict_types=1);

namespace Async\Internal;

/**
 * Would the Go runtime inside the library start in this process?
 *
 * Where it does not, it ends the process, and nobody can answer for it; so this is asked before the library is loaded.
 * What pool_api_check.h asks in C, but for the threads, which PHP cannot start.
 */
final class Limits
{
    private const ADDRESS_SPACE = 768 << 20;
    private const DATA = 48 << 20;
    private const THREADS = 8;

    /**
     * What the runtime would end the process for: which limit, its value, and what is needed. Null: nothing known.
     */
    public static function why(): ?string
    {
        foreach ([getenv('GOMEMLIMIT', true), self::memoryLimitAtStart()] as $limit) {
            if ($limit !== false && !self::isMemoryLimit($limit)) {
                return "GOMEMLIMIT is \"$limit\", which the Go runtime cannot read, so that it ends the process: start "
                    . 'the process without it, or with bytes (500000000), a unit (500MiB), or off';
            }
        }
        $limits = (string) @file_get_contents('/proc/self/limits');
        $used = (string) @file_get_contents('/proc/self/status');
        $stacks = self::THREADS * (self::limit($limits, 'Max stack size') ?? 2 << 20);
        return self::tooLittle(
            'address space (RLIMIT_AS, ulimit -v)',
            self::limit($limits, 'Max address space'),
            self::used($used, 'VmSize'),
            self::ADDRESS_SPACE + 2 * $stacks,
        ) ?? self::tooLittle(
            'data (RLIMIT_DATA, ulimit -d)',
            self::limit($limits, 'Max data size'),
            self::used($used, 'VmData'),
            self::DATA + $stacks,
        );
    }

    /**
     * Is this what the Go runtime takes: nothing, "off", or bytes, with B, KiB, MiB, GiB or TiB?
     */
    private static function isMemoryLimit(string $text): bool
    {
        if ($text === '' || $text === 'off') {
            return true;
        }
        if (!preg_match('/^\+?0*(\d+?)(?:([KMGT])iB|B)?$/D', $text, $parts)) {
            return false;
        }
        $digits = $parts[1];
        $most = (string) (PHP_INT_MAX >> 10 * strpos(' KMGT', $parts[2] ?? ' '));
        return strlen($digits) < strlen($most) || strlen($digits) === strlen($most) && strcmp($digits, $most) <= 0;
    }

    /**
     * What the process was started with, which is what the Go runtime sees.
     */
    private static function memoryLimitAtStart(): string|false
    {
        foreach (explode("\0", (string) @file_get_contents('/proc/self/environ')) as $variable) {
            if (str_starts_with($variable, 'GOMEMLIMIT=')) {
                return substr($variable, strlen('GOMEMLIMIT='));
            }
        }
        return false;
    }

    /**
     * Bytes, out of /proc/self/limits; null: none, or not known.
     */
    private static function limit(string $limits, string $name): ?int
    {
        return preg_match("/^$name +(\d+) /m", $limits, $parts) ? (int) $parts[1] : null;
    }

    /**
     * Bytes, out of /proc/self/status; 0: not known.
     */
    private static function used(string $status, string $name): int
    {
        return preg_match("/^$name:\s+(\d+) kB/m", $status, $parts) ? (int) $parts[1] << 10 : 0;
    }

    private static function tooLittle(string $what, ?int $limit, int $used, int $needed): ?string
    {
        if ($limit === null || $limit >= $used + $needed) {
            return null;
        }
        return sprintf(
            'the limit of %s is %d KiB, %d KiB are in use, and the Go runtime needs %d KiB more to start, or it ends the '
                . 'process: raise it to %d KiB at least',
            $what,
            $limit >> 10,
            $used >> 10,
            $needed >> 10,
            $used + $needed + 1023 >> 10,
        );
    }

    private function __construct()
    {
    }
}
