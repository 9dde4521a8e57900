--TEST--
FFI disabled by ffi.enable, or not there at all: the message says so (P30)
--FILE--
<?php

$code = sprintf('require %s; try { Async\Internal\Library::ffi(); } catch (Async\AsyncException $error) '
    . '{ echo $error->getMessage(), "\n"; }', var_export(__DIR__ . '/../../autoload.php', true));
foreach (['-d ffi.enable=0', '-n'] as $options) {
    system(escapeshellarg(PHP_BINARY) . " $options -r " . escapeshellarg($code));
}
?>
--EXPECTF--
asyncpool: cannot use the library %slibasyncpool.so%S: FFI API is restricted by "ffi.enable" configuration directive; set ffi.enable=true in php.ini; or leave it at preload and name %spreload.php in opcache.preload; or load the extension asyncpool, which does without FFI (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; ffi.enable is "0")
asyncpool: cannot use the library %slibasyncpool.so%S: PHP has no FFI; load it (extension=ffi in php.ini), or the extension asyncpool, which does without (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; ffi.enable is unknown)
