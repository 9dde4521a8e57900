--TEST--
Pool: what is being released when the pool is destructed is destroyed once, and its release succeeds (B112)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter(), destructor: hook('destructor'), beforeRelease: fn() => delay(1));
$pool->setCircuitBreakerStrategy(teller());
$held = $pool->acquire();
$task = spawn(fn() => $pool->release($held));
suspend();
$pool->__destruct();
echo thrown(fn() => await($task));
echo counts($pool);
echo thrown(fn() => $pool->release($held));
unset($pool, $task);
echo live(), "\n";
?>
--EXPECT--
factory(1)
destructor(1)
nothing thrown
0/0/0
Async\PoolException: Resource is not lent by this pool
0
