--TEST--
Pool: leaving the middle of the line keeps the others' order (B97)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: fn() => 'only', max: 1);
$held = $pool->acquire();
$tasks = [];
foreach ([1, 2, 3, 4] as $i) {
    $tasks[$i] = spawn(function () use ($pool, $i): void {
        $resource = $pool->acquire();
        echo "$i served\n";
        suspend();
        $pool->release($resource);
    });
}
suspend();
$tasks[2]->cancel();
suspend();
echo counts($pool);
$pool->release($held);
array_map(fn($task) => strtok(thrown(fn() => await($task)), ':'), $tasks);
var_dump($tasks[2]->isCancelled());
echo counts($pool);
?>
--EXPECT--
0/1/1
1 served
3 served
4 served
bool(true)
1/0/1
