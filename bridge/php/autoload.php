<?php

/**
 * Loads the package, with Composer (which requires this file) and without:
 *
 *     require 'bridge/php/autoload.php';
 *
 * Where the extension asyncpool has brought Async\Pool, the rest is loaded and works with that. Where another one has,
 * or another copy of this was loaded, it stays out of the way.
 */

declare(strict_types=1);

if (
    (extension_loaded('asyncpool') || !class_exists(Async\Pool::class, false))
    && !function_exists('Async\spawn')
) {
    spl_autoload_register(static function (string $class): void {
        if (str_starts_with($class, 'Async\\')) {
            $file = __DIR__ . '/src/' . strtr(substr($class, 6), '\\', '/') . '.php';
            if (is_file($file)) {
                require $file;
            }
        }
    });
    require_once __DIR__ . '/src/functions.php';
}
