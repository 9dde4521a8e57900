--TEST--
Pool: fifteen coroutines hold a resource at once, all become idle (B12)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: fn() => new stdClass(), max: 15);
$open = false;
$tasks = [];
for ($i = 0; $i < 15; $i++) {
    $tasks[] = spawn(function () use ($pool, &$open): void {
        $resource = $pool->acquire();
        while (!$open) {
            suspend();
        }
        $pool->release($resource);
    });
}
suspend();
echo counts($pool);
$open = true;
array_map(fn($task) => await($task), $tasks);
echo counts($pool);
$pool->release($pool->acquire());
echo counts($pool);
?>
--EXPECT--
0/15/15
15/0/15
15/0/15
