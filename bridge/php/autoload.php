<?php

/**
 * Loads the package, with Composer (which requires this file) and without:
 *
 *     require 'bridge/php/autoload.php';
 *
 * Where the extension asyncpool is loaded, only the classes are that it does not bring. Where another one has brought
 * Async\Pool, or another copy of this was loaded, it stays out of the way.
 */

declare(strict_types=1);

(static function (): void {
    // What opcache.preload has loaded of this package is this package, not another copy.
    $from = match (true) {
        extension_loaded('asyncpool') => null,
        function_exists('Async\spawn') => (new ReflectionFunction('Async\spawn'))->getFileName(),
        class_exists(Async\Pool::class, false) => (new ReflectionClass(Async\Pool::class))->getFileName(),
        default => null,
    };
    if ($from !== null && !str_starts_with((string) $from, __DIR__ . '/src/')) {
        return;
    }
    if (!class_exists(Async\Internal\Autoload::class, false)) {
        require __DIR__ . '/src/Internal/Autoload.php';
    }
    spl_autoload_register([Async\Internal\Autoload::class, 'load']); // once, however often this is required
    if (!function_exists('Async\spawn')) {
        require __DIR__ . '/src/functions.php';
    }
})();
