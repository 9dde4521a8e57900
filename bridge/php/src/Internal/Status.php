<?php

// Generated from pool.h by abi/php_numbers.sh: read pool.h instead.

declare(strict_types=1);

namespace Async\Internal;

/**
 * The outcome of an operation: pool_status_t.
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
    public const NOMEM = -8;
    public const FORKED = -9;
    public const OVERLOADED = -10;
    public const DEADLOCK = -11;
    public const INTERNAL = -12;

    private function __construct()
    {
    }
}
