--TEST--
The extension: who begins to wait in a shutdown function is told how it ends, also in a fiber that nobody resumes
--FILE--
<?php
require __DIR__ . '/ext.inc';

use Async\Pool;

$pool = new Pool(factory: fn() => new stdClass(), max: 1);
$held = $pool->acquire();
echo thrown(fn() => $pool->acquire(timeout: 1));
register_shutdown_function(function () use ($pool): void {
    echo 'at the end: ', thrown(fn() => $pool->acquire(timeout: 1));
    (new Fiber(function () use ($pool): void {
        echo 'in a fiber: ', thrown(fn() => $pool->acquire(timeout: 1));
    }))->start();
});
?>
--EXPECT--
Async\TimeoutException: Operation has been cancelled by timeout
at the end: Async\TimeoutException: Operation has been cancelled by timeout
in a fiber: Async\TimeoutException: Operation has been cancelled by timeout
