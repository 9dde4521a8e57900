--TEST--
Pool: one release wakes one waiter; the releaser goes on first (B51, B57)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter(), max: 1);
$held = $pool->acquire();
$tasks = [];
foreach (['A', 'B'] as $name) {
    $tasks[] = spawn(function () use ($pool, $name): void {
        $resource = $pool->acquire();
        echo "$name got $resource\n";
        delay(1);
        echo "$name releases\n";
        $pool->release($resource);
    });
}
suspend();
$pool->release($held);
echo "released\n";
array_map(fn($task) => await($task), $tasks);
echo counts($pool);
?>
--EXPECT--
factory(1)
released
A got 1
A releases
B got 1
B releases
1/0/1
