--TEST--
Pool: a destructor that destructs its pool, which is being destructed: each resource is destroyed once (B112, B154)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(
    factory: counter(),
    destructor: hook('destructor', function () use (&$pool): void {
        $pool->__destruct();
    }),
    beforeAcquire: fn() => delay(1),
    min: 3,
);
$tasks = [spawn(fn() => $pool->acquire()), spawn(fn() => $pool->acquire())];
suspend();
echo counts($pool);
$pool->__destruct();
echo counts($pool);
foreach ($tasks as $task) {
    echo thrown(fn() => await($task));
}
$pool->__destruct();
unset($pool, $tasks, $task);
echo live(), "\n";
?>
--EXPECT--
factory(1)
factory(2)
factory(3)
1/2/3
destructor(1)
destructor(2)
destructor(3)
0/0/0
Async\PoolException: Pool is closed
Async\PoolException: Pool is closed
0
