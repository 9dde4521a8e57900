--TEST--
A library that is missing, or is none: which file, and what to do (P30)
--FILE--
<?php

require __DIR__ . '/../../autoload.php';

use Async\AsyncException;
use Async\Internal\Library;

foreach (['/nowhere/libasyncpool.so.1', __FILE__, 'libc.so.6'] as $file) {
    putenv("ASYNCPOOL_LIBRARY=$file");
    try {
        Library::ffi();
    } catch (AsyncException $error) {
        echo $error->getMessage(), "\n";
    }
}
// The failure is not remembered.
putenv('ASYNCPOOL_LIBRARY=' . $_SERVER['ASYNCPOOL_LIBRARY']);
var_dump(Library::ffi()->pool_abi_version(), Library::ffi() === Library::ffi());
?>
--EXPECTF--
asyncpool: cannot use the library /nowhere/libasyncpool.so.1: Failed loading '/nowhere/libasyncpool.so.1'%S; install it (make install, then ldconfig), or name its file by the environment variable ASYNCPOOL_LIBRARY (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; ffi.enable is "%s")
asyncpool: cannot use the library %smissing.php: Failed loading '%smissing.php'%S; install it (make install, then ldconfig), or name its file by the environment variable ASYNCPOOL_LIBRARY (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; ffi.enable is "%s")
asyncpool: cannot use the library libc.so.6: Failed resolving C function 'pool_abi_version'; it is no asyncpool: name another file (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; ffi.enable is "%s")
int(1)
bool(true)
