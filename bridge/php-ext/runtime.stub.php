<?php

/** @generate-class-entries */

namespace Async\Internal;

final class Runtime
{
    public static function loop(): Loop
    {
    }

    public static function current(): ?\Async\Coroutine
    {
    }

    private static function end(): void
    {
    }

    private static function report(): void
    {
    }
}
