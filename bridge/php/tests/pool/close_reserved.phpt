--TEST--
Pool: closed with a place promised: its waiter is told, the resource destroyed once (B98, B111)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter(), destructor: hook('destructor'), max: 1);
$held = $pool->acquire();
$tasks = [spawn(fn() => $pool->acquire()), spawn(fn() => $pool->acquire())];
suspend();
$pool->release($held);
$pool->close();
foreach ($tasks as $task) {
    echo thrown(fn() => await($task));
}
echo counts($pool);
?>
--EXPECT--
factory(1)
destructor(1)
Async\PoolException: Pool is closed
Async\PoolException: Pool is closed
0/0/0
