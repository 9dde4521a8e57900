--TEST--
Pool: as many are created behind at once as wait and as there is room for, and all are served in their order
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$now = $most = $made = 0;
$pool = new Pool(
    factory: function () use (&$now, &$most, &$made): int {
        $most = max($most, ++$now);
        do { // a delay may be over before the next creation begins
            delay(1);
        } while ($most < 3);
        $now--;

        return ++$made;
    },
    max: 3,
    createBehind: true,
);
$order = [];
$tasks = [];
for ($i = 0; $i < 10; $i++) {
    $tasks[] = spawn(function () use ($pool, $i, &$order, &$made): void {
        $resource = $pool->acquire();
        $order[] = $i;
        while ($made < 3) { // else the first that is made may serve all of them before there is another
            delay(1);
        }
        $pool->release($resource);
    });
}
array_map(await(...), $tasks);
echo implode(' ', $order), "\n";
var_dump($most, $made, $pool->stats()->created, $pool->waitingCount());

// also for who comes while a place becomes free
$pool->evict();
$lent = [$pool->acquire(), $pool->acquire(), $pool->acquire()];
$task = spawn(fn() => $pool->acquire());
suspend();
$pool->discard($lent[0]);
var_dump(await($task));
$pool->resize(0, 4);
var_dump($pool->acquire());
$task = spawn(fn() => $pool->acquire());
suspend();
$pool->resize(0, 5);
var_dump(await($task));
$task = spawn(fn() => $pool->acquire());
suspend();
$pool->detach($lent[1]);
var_dump(await($task));
echo counts($pool);
unset($pool, $task, $tasks);
echo live(), "\n";
?>
--EXPECT--
0 1 2 3 4 5 6 7 8 9
int(3)
int(3)
int(3)
int(0)
int(7)
int(8)
int(9)
int(10)
0/5/5
0
