--TEST--
Pool: a destructor's exception leaves release(), the waiter is served (B55, B69)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(
    factory: counter(),
    destructor: fn($r) => throw new LogicException("destructor($r)"),
    beforeRelease: fn($r) => $r !== 1,
    max: 1,
);
$held = $pool->acquire();
$task = spawn(fn() => $pool->acquire());
suspend();
echo thrown(fn() => $pool->release($held));
var_dump(await($task));
echo counts($pool);
$pool->release(2);
echo thrown($pool->close(...));
echo counts($pool);
?>
--EXPECT--
factory(1)
LogicException: destructor(1)
factory(2)
int(2)
0/1/1
LogicException: destructor(2)
0/0/0
