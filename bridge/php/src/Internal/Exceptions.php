<?php

// Twin: bridge/php-ext/exceptions.c.

declare(strict_types=1);

namespace Async\Internal;

use Async\OverloadedException;
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
            Status::FACTORY => self::ofFactory(null),
            Status::NOT_OWNED => new PoolException('Resource is not lent by this pool'),
            Status::FORKED => new PoolException(
                'Pool failed: the library was loaded before fork(): make the first pool in the child, not before in its '
                    . 'parent or in a preload script',
            ),
            Status::OVERLOADED => new OverloadedException('Too many wait for a resource already'),
            default => new PoolException('Pool failed: ' . $library->pool_strerror($status)),
        };
    }

    /** The same where the factory has thrown nothing, or nothing that is still there. */
    public static function ofFactory(?string $reason): PoolException
    {
        return new PoolException('Failed to create pool resource' . ($reason === null ? '' : ": $reason"));
    }

    private function __construct()
    {
    }
}
