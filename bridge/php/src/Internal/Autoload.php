<?php

declare(strict_types=1);

namespace Async\Internal;

/**
 * Loads the classes of the package where Composer does not.
 */
final class Autoload
{
    public static function load(string $class): void
    {
        if (str_starts_with($class, 'Async\\')) {
            $file = dirname(__DIR__) . '/' . strtr(substr($class, 6), '\\', '/') . '.php';
            if (is_file($file)) {
                require $file;
            }
        }
    }
}
