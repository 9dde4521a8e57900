<?php

declare(strict_types=1);

namespace Async\Internal;

use Async\AsyncException;

/**
 * Finds libasyncpool and loads it, once.
 *
 * The file is the one that the environment variable ASYNCPOOL_LIBRARY names; else build/lib of the repository
 * this package lies in; else what the system's loader finds.
 */
final class Library
{
    private static ?\FFI $ffi = null;

    /**
     * The library's functions, as pool_ffi.h declares them.
     *
     * @throws AsyncException when it cannot be used; says which file, which version, which ini setting
     */
    public static function ffi(): \FFI
    {
        return self::$ffi ??= self::preloaded() ?? self::load(self::file());
    }

    /**
     * What the loader is asked for: a path, or a name for which it searches.
     */
    public static function file(): string
    {
        $file = getenv('ASYNCPOOL_LIBRARY');
        if ($file !== false && $file !== '') {
            return $file;
        }
        $built = dirname(__DIR__, 4) . '/build/lib/' . Abi::FILE;
        return is_file($built) ? $built : Abi::FILE;
    }

    /** Under a web server with ffi.enable=preload, pool_ffi.h is loaded by the preload script. */
    private static function preloaded(): ?\FFI
    {
        if (!extension_loaded('FFI') || PHP_SAPI === 'cli' || ini_get('opcache.preload') === '') {
            return null;
        }
        try {
            return \FFI::scope('ASYNCPOOL');
        } catch (\FFI\Exception) {
            return null;
        }
    }

    private static function load(string $file): \FFI
    {
        if (!extension_loaded('FFI')) {
            throw self::failure($file, 'PHP has no FFI extension');
        }
        $why = self::isThere() ? null : Limits::why();
        if ($why !== null) {
            throw self::failure($file, $why);
        }
        try {
            // Another version may lack what pool_ffi.h declares, so it is asked first.
            $asked = \FFI::cdef('uint32_t pool_abi_version(void); const char *pool_version(void);', $file);
            $abi = $asked->pool_abi_version();
            if ($abi !== Abi::VERSION) {
                throw self::failure($file, "it is version {$asked->pool_version()} with ABI version $abi");
            }
            return \FFI::cdef(self::declarations($file), $file);
        } catch (\FFI\Exception $error) {
            throw self::failure($file, $error->getMessage(), $error);
        }
    }

    /** Has somebody loaded it already? Then its runtime has started. */
    private static function isThere(): bool
    {
        return str_contains((string) @file_get_contents('/proc/self/maps'), '/' . Abi::FILE);
    }

    private static function declarations(string $file): string
    {
        $places = [
            dirname(__DIR__, 4) . '/include',
            dirname($file, 2) . '/include',
            dirname($file, 3) . '/include',
            '/usr/local/include',
            '/usr/include',
        ];
        foreach ($places as $place) {
            $header = "$place/asyncpool/pool_ffi.h";
            if (is_file($header)) {
                return file_get_contents($header);
            }
        }
        throw self::failure($file, 'asyncpool/pool_ffi.h is not in ' . implode(', ', $places));
    }

    private static function failure(string $file, string $why, ?\Throwable $previous = null): AsyncException
    {
        return new AsyncException(sprintf(
            'asyncpool: cannot use the library %s: %s '
                . '(wanted: ABI version %d; ASYNCPOOL_LIBRARY %s; ffi.enable is %s)',
            $file,
            $why,
            Abi::VERSION,
            getenv('ASYNCPOOL_LIBRARY') === false ? 'is not set' : 'names the file',
            extension_loaded('FFI') ? '"' . ini_get('ffi.enable') . '"' : 'unknown: load the extension ffi',
        ), previous: $previous);
    }
}
