<?php

// Twin: bridge/php-ext/exceptions.c.

declare(strict_types=1);

namespace Async\Internal;

use Async\PoolException;
use Async\ServiceUnavailableException;
use Async\TimeoutException;

/**
 * The exceptions that a pool throws.
 */
final class Exceptions
{
    /** What a caller in PHP is thrown for a status. */
    public static function of(\FFI $library, int $status): \Throwable
    {
        return match ($status) {
            Status::CLOSED => new PoolException('Pool is closed'),
            Status::UNAVAILABLE => new ServiceUnavailableException(
                'Service is unavailable (circuit breaker is open)',
            ),
            Status::TIMEOUT => new TimeoutException('Operation has been cancelled by timeout'),
            Status::FACTORY => new PoolException('Failed to create pool resource'),
            Status::NOT_OWNED => new PoolException('Resource is not lent by this pool'),
            Status::FORKED => new PoolException(
                'Pool failed: the library was loaded before fork(): make the first pool in the child, not before in its '
                    . 'parent or in a preload script',
            ),
            default => new PoolException('Pool failed: ' . $library->pool_strerror($status)),
        };
    }

    private function __construct()
    {
    }
}
