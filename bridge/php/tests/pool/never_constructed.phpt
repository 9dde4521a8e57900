--TEST--
Pool: an object whose constructor never ran answers cleanly (B14)
--SKIPIF--
<?php if (extension_loaded('asyncpool')) die('skip with the extension: PHP makes no object of an internal class that is final without its constructor'); ?>
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = (new ReflectionClass(Pool::class))->newInstanceWithoutConstructor();
echo thrown(fn() => $pool->acquire());
echo thrown(fn() => $pool->release(1));
var_dump($pool->tryAcquire());
echo counts($pool);
var_dump($pool->isClosed());
$pool->close();
foreach (['getState', 'activate', 'deactivate', 'recover'] as $method) {
    echo thrown(fn() => $pool->$method());
}
echo thrown(fn() => $pool->setCircuitBreakerStrategy(null));
unset($pool);
?>
--EXPECT--
Async\PoolException: Pool is not initialized
Async\PoolException: Pool is not initialized
NULL
0/0/0
bool(true)
Async\PoolException: Pool is not initialized
Async\PoolException: Pool is not initialized
Async\PoolException: Pool is not initialized
Async\PoolException: Pool is not initialized
Async\PoolException: Pool is not initialized
