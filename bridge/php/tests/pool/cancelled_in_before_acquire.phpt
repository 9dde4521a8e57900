--TEST--
Pool: a cancellation inside beforeAcquire ends the acquire, the place goes on (S9)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$first = true;
$pool = new Pool(factory: counter(), destructor: hook('destructor'), beforeAcquire: function () use (&$first): bool {
    if ($first) {
        $first = false;
        delay(5000);
    }

    return true;
}, min: 1, max: 1);
$task = spawn(fn() => $pool->acquire());
$next = spawn(fn() => $pool->acquire());
suspend();
$task->cancel();
echo strtok(thrown(fn() => await($task)), ':'), "\n";
echo 'next got ' . await($next) . "\n"; // the interrupted check says nothing: its resource was destroyed
echo counts($pool);
?>
--EXPECT--
factory(1)
destructor(1)
factory(2)
Async\AsyncCancellation
next got 2
0/1/1
