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
asyncpool: cannot use the library %slibasyncpool.so%S: FFI API is restricted by "ffi.enable" configuration directive (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; ffi.enable is "0")
asyncpool: cannot use the library %slibasyncpool.so%S: PHP has no FFI extension (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; ffi.enable is unknown: load the extension ffi)
