--TEST--
Pool: INACTIVE lends nothing, idle resources or not (B118, B119)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), min: 2);
$pool->release($pool->tryAcquire());
$pool->deactivate();
echo thrown(fn() => $pool->acquire(timeout: 5000));
var_dump($pool->tryAcquire());
echo counts($pool);
$pool->activate();
var_dump($pool->tryAcquire());
?>
--EXPECT--
factory(1)
factory(2)
Async\ServiceUnavailableException: Service is unavailable (circuit breaker is open)
NULL
2/0/2
int(2)
