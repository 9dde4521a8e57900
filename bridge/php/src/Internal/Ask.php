<?php

// Generated from pool.h by abi/php_numbers.sh: read pool.h instead.

declare(strict_types=1);

namespace Async\Internal;

/**
 * What the library wants done next: pool_ask_kind_t; and the bits of pool_config_t.asks.
 */
final class Ask
{
    public const DONE = 0;
    public const CREATE = 1;
    public const BEFORE_ACQUIRE = 2;
    public const BEFORE_RELEASE = 3;
    public const DESTROY = 4;
    public const WAIT = 5;
    public const HEALTHCHECK = 6;
    public const REPORT_SUCCESS = 7;
    public const REPORT_FAILURE = 8;
    public const SHOULD_RECOVER = 9;
    public const LEAKED = 10;

    public const WANT_DESTROY = 1 << 0;
    public const WANT_HEALTHCHECK = 1 << 1;
    public const WANT_BEFORE_ACQUIRE = 1 << 2;
    public const WANT_BEFORE_RELEASE = 1 << 3;
    public const WANT_REPORTS = 1 << 4;
    public const WANT_SHOULD_RECOVER = 1 << 5;
    public const WANT_LEAKED = 1 << 6;

    private function __construct()
    {
    }
}
