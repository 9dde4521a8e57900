--TEST--
A library of another ABI version, or an older one, is refused: its version, and what to update (P30)
--SKIPIF--
<?php if (shell_exec('command -v gcc') === null) die('skip needs gcc'); ?>
--FILE--
<?php

require __DIR__ . '/../../autoload.php';

use Async\AsyncException;
use Async\Internal\Library;

$versions = ['2.3.4' => 2, '0.9.0' => 0, '1.0.0' => 1]; // the last one has nothing else
foreach ($versions as $version => $abi) {
    $library = __DIR__ . "/libother_$abi.so";
    file_put_contents("$library.c", "unsigned pool_abi_version(void) { return $abi; }
        const char *pool_version(void) { return \"$version\"; }");
    system('gcc -shared -fPIC -o ' . escapeshellarg($library) . ' ' . escapeshellarg("$library.c"));
    putenv("ASYNCPOOL_LIBRARY=$library");
    try {
        Library::ffi();
    } catch (AsyncException $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--CLEAN--
<?php
array_map(unlink(...), glob(__DIR__ . '/libother_*'));
?>
--EXPECTF--
asyncpool: cannot use the library %slibother_2.so: it is version 2.3.4 with ABI version 2; update this package (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; ffi.enable is "%s")
asyncpool: cannot use the library %slibother_0.so: it is version 0.9.0 with ABI version 0; update the library (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; ffi.enable is "%s")
asyncpool: cannot use the library %slibother_1.so: Failed resolving C function 'pool_%s'; it is version 1.0.0, older than this package; update the library (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; ffi.enable is "%s")
