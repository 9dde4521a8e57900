--TEST--
A library that is missing, or is none: which file, which version, which ini setting (P30)
--FILE--
<?php

require __DIR__ . '/../../autoload.php';

use Async\AsyncException;
use Async\Internal\Library;

foreach (['/nowhere/libasyncpool.so.1', __FILE__] as $file) {
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
asyncpool: cannot use the library /nowhere/libasyncpool.so.1: Failed loading '/nowhere/libasyncpool.so.1'%S (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; ffi.enable is "%s")
asyncpool: cannot use the library %smissing.php: Failed loading '%smissing.php'%S (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; ffi.enable is "%s")
int(1)
bool(true)
