--TEST--
The extension: the ini setting names the library where the environment does not, and a file that is missing is told of (P30)
--FILE--
<?php
$code = <<<'CODE'
    try {
        echo (new Async\Pool(factory: fn() => 'made'))->acquire(), "\n";
    } catch (Async\AsyncException $error) {
        echo $error->getMessage(), "\n";
    }
    CODE;
$library = getenv('ASYNCPOOL_LIBRARY');
putenv('ASYNCPOOL_LIBRARY');
foreach ([$library, '/nowhere/libasyncpool.so.1', ''] as $file) {
    passthru(PHP_BINARY . ' -d asyncpool.library=' . escapeshellarg($file) . ' -r ' . escapeshellarg($code));
}
?>
--EXPECTF--
made
asyncpool: cannot use the library /nowhere/libasyncpool.so.1: %s; install it (make install, then ldconfig), or name its file by the ini setting asyncpool.library or the environment variable ASYNCPOOL_LIBRARY (wanted: ABI version 1; ASYNCPOOL_LIBRARY is not set; asyncpool.library is "/nowhere/libasyncpool.so.1")
%s
