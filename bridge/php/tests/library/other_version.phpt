--TEST--
A library of another ABI version is refused, with its version (P30)
--SKIPIF--
<?php if (shell_exec('command -v gcc') === null) die('skip needs gcc'); ?>
--FILE--
<?php

require __DIR__ . '/../../autoload.php';

use Async\AsyncException;
use Async\Internal\Library;

$library = __DIR__ . '/libother.so';
file_put_contents("$library.c", <<<'C'
    unsigned pool_abi_version(void) { return 2; }
    const char *pool_version(void) { return "2.3.4"; }
    C);
system('gcc -shared -fPIC -o ' . escapeshellarg($library) . ' ' . escapeshellarg("$library.c"));
putenv("ASYNCPOOL_LIBRARY=$library");
try {
    Library::ffi();
} catch (AsyncException $error) {
    echo $error->getMessage(), "\n";
}
?>
--CLEAN--
<?php
@unlink(__DIR__ . '/libother.so');
@unlink(__DIR__ . '/libother.so.c');
?>
--EXPECTF--
asyncpool: cannot use the library %slibother.so: it is version 2.3.4 with ABI version 2 (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; ffi.enable is "%s")
