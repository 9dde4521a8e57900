--TEST--
Pool: RECOVERING lends one probe at a time, the state stays (B120)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), min: 2);
$pool->recover();
$probe = $pool->acquire();
echo thrown(fn() => $pool->acquire());
var_dump($pool->tryAcquire());
$pool->release($probe);
echo $pool->getState()->name, "\n";
$pool->release($pool->acquire());
echo counts($pool);
?>
--EXPECT--
factory(1)
factory(2)
Async\ServiceUnavailableException: Service is unavailable (circuit breaker is open)
NULL
RECOVERING
2/0/2
