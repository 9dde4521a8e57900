--TEST--
Pool: who waits in line when the pool is destructed is told that it is closed (B112)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter(), destructor: hook('destructor'), max: 1);
$held = $pool->acquire();
$tasks = [spawn(fn() => $pool->acquire()), spawn(fn() => $pool->acquire(timeout: 60_000))];
suspend();
$pool->__destruct();
foreach ($tasks as $task) {
    echo thrown(fn() => await($task));
}
$pool->release($held);
unset($pool, $tasks, $task);
echo live(), "\n";
?>
--EXPECT--
factory(1)
Async\PoolException: Pool is closed
Async\PoolException: Pool is closed
destructor(1)
0
