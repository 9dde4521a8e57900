<?php

declare(strict_types=1);

namespace Async\Internal;

use Async\PoolException;
use Async\ServiceUnavailableException;
use Async\TimeoutException;

/**
 * The outcome of an operation: pool_status_t of pool.h, and what a caller in PHP is thrown for it.
 */
final class Status
{
    public const OK = 0;
    public const PENDING = 1;
    public const EMPTY = 2;
    public const INVALID = -1;
    public const CLOSED = -2;
    public const UNAVAILABLE = -3;
    public const TIMEOUT = -4;
    public const FACTORY = -5;
    public const CANCELLED = -6;
    public const NOT_OWNED = -7;
    public const FORKED = -9;

    private function __construct()
    {
    }

    public static function exception(\FFI $library, int $status): \Throwable
    {
        return match ($status) {
            self::CLOSED => new PoolException('Pool is closed'),
            self::UNAVAILABLE => new ServiceUnavailableException(
                'Service is unavailable (circuit breaker is open)',
            ),
            self::TIMEOUT => new TimeoutException('Operation has been cancelled by timeout'),
            self::FACTORY => new PoolException('Failed to create pool resource'),
            self::NOT_OWNED => new PoolException('Resource is not lent by this pool'),
            default => new PoolException('Pool failed: ' . $library->pool_strerror($status)),
        };
    }
}
