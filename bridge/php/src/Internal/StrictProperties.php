<?php

declare(strict_types=1);

namespace Async\Internal;

/** For classes that take no properties but their own, in every version of PHP: a name that is mistyped is an error. */
trait StrictProperties
{
    public function __set(string $name, mixed $value): never
    {
        throw new \Error('Cannot create dynamic property ' . self::class . "::\$$name");
    }
}
