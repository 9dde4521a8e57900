--TEST--
The extension: a library of another ABI version is refused, with both versions and what to update (P30)
--SKIPIF--
<?php if (shell_exec('command -v gcc') === null) die('skip needs gcc'); ?>
--FILE--
<?php
foreach ([2, 0] as $abi) {
    $library = __DIR__ . "/libother_$abi.so";
    file_put_contents("$library.c", "unsigned pool_abi_version(void) { return $abi; }
        const void *pool_api(unsigned version) { return 0; }");
    system('gcc -shared -fPIC -o ' . escapeshellarg($library) . ' ' . escapeshellarg("$library.c"));
    putenv("ASYNCPOOL_LIBRARY=$library");
    try {
        echo (new Async\Pool(factory: fn() => 'made'))->acquire(), "\n";
    } catch (Async\AsyncException $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--CLEAN--
<?php
array_map(unlink(...), glob(__DIR__ . '/libother_*'));
?>
--EXPECTF--
asyncpool: cannot use the library %slibother_2.so: %slibother_2.so is an asyncpool of ABI version 2, and this was compiled for version 1: one of the two has to be replaced; update the extension (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; asyncpool.library is "")
asyncpool: cannot use the library %slibother_0.so: %slibother_0.so is an asyncpool of ABI version 0, and this was compiled for version 1: one of the two has to be replaced; update the library (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; asyncpool.library is "")
