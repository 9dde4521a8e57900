--TEST--
Pool: closed comes before the breaker, the breaker before idle resources (B31, B32, B42, B100, B106, B121, R34)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), min: 1);
$pool->deactivate();
echo thrown(fn() => $pool->acquire());
var_dump($pool->tryAcquire());
echo counts($pool);
$pool->close();
echo thrown(fn() => $pool->acquire());
var_dump($pool->tryAcquire());
?>
--EXPECT--
factory(1)
Async\ServiceUnavailableException: Service is unavailable (circuit breaker is open)
NULL
1/0/1
Async\PoolException: Pool is closed
NULL
