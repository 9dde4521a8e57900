--TEST--
The extension: a library that is missing, is none, or is not whole is told of with what to do, and not remembered (P30)
--SKIPIF--
<?php if (shell_exec('command -v gcc') === null) die('skip needs gcc'); ?>
--FILE--
<?php
$library = getenv('ASYNCPOOL_LIBRARY');
$half = __DIR__ . '/libhalf.so';
file_put_contents("$half.c", <<<'C'
    #include <asyncpool/pool.h>
    static const pool_api_t table = {.struct_size = sizeof table, .abi_version = POOL_ABI_VERSION};
    const pool_api_t *pool_api(uint32_t version) { return &table; }
    C);
system('gcc -shared -fPIC -I' . escapeshellarg(__DIR__ . '/../../../include')
    . ' -o ' . escapeshellarg($half) . ' ' . escapeshellarg("$half.c"));
foreach (['/nowhere/libasyncpool.so.1', __FILE__, 'libc.so.6', $half, $library] as $file) {
    putenv("ASYNCPOOL_LIBRARY=$file");
    try {
        echo (new Async\Pool(factory: fn() => 'made'))->acquire(), "\n";
    } catch (Async\AsyncException $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--CLEAN--
<?php
@unlink(__DIR__ . '/libhalf.so');
@unlink(__DIR__ . '/libhalf.so.c');
?>
--EXPECTF--
asyncpool: cannot use the library /nowhere/libasyncpool.so.1: /nowhere/libasyncpool.so.1 cannot be opened: %s; install it (make install, then ldconfig), or name its file by the ini setting asyncpool.library or the environment variable ASYNCPOOL_LIBRARY (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; asyncpool.library is "")
asyncpool: cannot use the library %slibrary_missing.php: %s; install it (make install, then ldconfig), or name its file by the ini setting asyncpool.library or the environment variable ASYNCPOOL_LIBRARY (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; asyncpool.library is "")
asyncpool: cannot use the library libc.so.6: libc.so.6 is no asyncpool: it has no pool_api(); name another file by the ini setting asyncpool.library or the environment variable ASYNCPOOL_LIBRARY (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; asyncpool.library is "")
asyncpool: cannot use the library %slibhalf.so: it has no pool_activate(), so it is older than this extension; update the library (wanted: ABI version 1; ASYNCPOOL_LIBRARY names the file; asyncpool.library is "")
made
