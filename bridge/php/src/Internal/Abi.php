<?php

// Generated from pool.h by abi/php_numbers.sh: read pool.h instead.

declare(strict_types=1);

namespace Async\Internal;

/**
 * The ABI that this package speaks, and the library's name: POOL_ABI_VERSION and the soname.
 */
final class Abi
{
    public const VERSION = 1;
    public const FILE = 'libasyncpool.so.1';

    private function __construct()
    {
    }
}
