--TEST--
Pool: a pool that is destructed while others are inside its hooks destroys what they had, and tells what that throws (B112)
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
    destructor: fn(int $r) => throw new DomainException("destructor($r)"),
    beforeAcquire: fn() => delay(1),
    min: 2,
);
$tasks = [spawn(fn() => $pool->acquire()), spawn(fn() => $pool->acquire())];
suspend();
echo counts($pool);
echo thrown(fn() => $pool->__destruct());
echo counts($pool);
foreach ($tasks as $task) {
    echo thrown(fn() => await($task));
}
unset($pool, $tasks, $task);
echo live(), "\n";
?>
--EXPECT--
factory(1)
factory(2)
0/2/2
DomainException: destructor(2) < DomainException: destructor(1)
0/0/0
Async\PoolException: Pool is closed
Async\PoolException: Pool is closed
0
