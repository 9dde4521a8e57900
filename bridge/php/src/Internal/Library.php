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
     * @throws AsyncException when it cannot be used; says which file, why, and what to do
     */
    public static function ffi(): \FFI
    {
        return self::$ffi ??= self::load(self::file());
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
        return @is_file($built) ? $built : Abi::FILE; // open_basedir may forbid to look
    }

    private static function load(string $file): \FFI
    {
        if (!extension_loaded('FFI')) {
            throw self::failure($file, 'PHP has no FFI; load it (extension=ffi in php.ini), or the extension asyncpool, '
                . 'which does without');
        }
        $why = self::isThere() ? null : Limits::why();
        if ($why !== null) {
            throw self::failure($file, $why);
        }
        self::ask($file, null, '', 'set ffi.enable=true in php.ini; or leave it at preload and name '
            . dirname(__DIR__, 2) . '/preload.php in opcache.preload; or load the extension asyncpool, which does '
            . 'without FFI');
        self::ask($file, $file, '', 'install it (make install, then ldconfig), or name its file by the environment '
            . 'variable ASYNCPOOL_LIBRARY');
        $asked = self::ask(
            $file,
            $file,
            'uint32_t pool_abi_version(void); const char *pool_version(void);',
            'it is no asyncpool: name another file',
        );
        $abi = $asked->pool_abi_version();
        if ($abi !== Abi::VERSION) {
            $update = $abi > Abi::VERSION ? 'this package' : 'the library';
            throw self::failure($file, "it is version {$asked->pool_version()} with ABI version $abi; update $update");
        }
        return self::ask(
            $file,
            $file,
            (string) file_get_contents(__DIR__ . '/pool_ffi.h'),
            "it is version {$asked->pool_version()}, older than this package; update the library",
        );
    }

    /**
     * FFI::cdef(), whose failure is told with what to do about it.
     */
    private static function ask(string $file, ?string $library, string $declarations, string $advice): \FFI
    {
        try {
            return \FFI::cdef($declarations, $library);
        } catch (\FFI\Exception $error) {
            throw self::failure($file, "{$error->getMessage()}; $advice", $error);
        }
    }

    /** Has somebody loaded it already? Then its runtime has started. */
    private static function isThere(): bool
    {
        return str_contains((string) @file_get_contents('/proc/self/maps'), '/' . Abi::FILE);
    }

    private static function failure(string $file, string $why, ?\Throwable $previous = null): AsyncException
    {
        return new AsyncException(sprintf(
            'asyncpool: cannot use the library %s: %s '
                . '(wanted: ABI version %d; ASYNCPOOL_LIBRARY %s; ffi.enable is %s)',
            $file,
            $why,
            Abi::VERSION,
            (string) getenv('ASYNCPOOL_LIBRARY') === '' ? 'is not set' : 'names the file',
            extension_loaded('FFI') ? '"' . ini_get('ffi.enable') . '"' : 'unknown',
        ), previous: $previous);
    }
}
