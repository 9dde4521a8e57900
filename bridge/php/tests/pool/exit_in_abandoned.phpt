--TEST--
Pool: an exit in the destructor of what an abandoned call had is the end; no further hook is called (P27)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(
    factory: counter(),
    destructor: hook('destructor', fn() => exit()),
    beforeAcquire: fn() => delay(1),
    min: 2,
);
$task = fn() => print(thrown(fn() => $pool->acquire()));
spawn($task);
spawn($task);
suspend();
register_shutdown_function(fn() => print('shutdown ' . counts($pool)));
$pool->__destruct();
echo "not reached\n";
?>
--EXPECT--
factory(1)
factory(2)
destructor(1)
Async\PoolException: Pool is closed
nothing thrown
shutdown 0/1/1
