<?php

/**
 * For opcache.preload: this package, compiled once for all workers of a server.
 *
 *     opcache.preload = /path/to/vendor/asyncpool/asyncpool/preload.php
 *
 * With ffi.enable = preload, which is PHP's default, FFI is then open to the package and to no other file. Nothing here
 * loads the library: that is for the workers to do, when they make their first pool.
 */

declare(strict_types=1);

require __DIR__ . '/autoload.php';

(static function (): void {
    $files = new RecursiveDirectoryIterator(__DIR__ . '/src', FilesystemIterator::SKIP_DOTS);
    foreach (new RecursiveIteratorIterator($files) as $file) {
        if ($file->getExtension() !== 'php' || $file->getFilename() === 'functions.php') {
            continue;
        }
        $name = substr($file->getPathname(), strlen(__DIR__ . '/src/'), -strlen('.php'));
        try {
            class_exists('Async\\' . strtr($name, '/', '\\'));
        } catch (Error) {
            // It extends what this PHP does not have, like PDO.
        }
    }
})();
