--TEST--
Pool: what a factory makes for a pool that was destructed meanwhile is destroyed, and its caller is told (B112)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: fn() => delay(1) ?? 'made late', destructor: hook('destructor'), max: 1);
$task = spawn(fn() => $pool->acquire());
suspend();
echo counts($pool);
$pool->__destruct();
echo counts($pool);
echo thrown(fn() => await($task));
echo thrown(fn() => $pool->release('made late'));
echo live(), "\n";
?>
--EXPECT--
0/1/1
0/0/0
destructor(made late)
Async\PoolException: Pool is closed
Async\PoolException: Resource is not lent by this pool
0
