--TEST--
Pool: a factory may suspend; what it makes is counted, so max holds (B29, B35, B36)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$made = 0;
$pool = new Pool(factory: function () use (&$made): int {
    $made++;
    delay(10);

    return $made;
}, max: 3);
$tasks = [];
for ($i = 0; $i < 10; $i++) {
    $tasks[] = spawn(function () use ($pool): void {
        $resource = $pool->acquire();
        delay(5);
        $pool->release($resource);
    });
}
suspend();
echo counts($pool);
var_dump($pool->tryAcquire());
array_map(fn($task) => await($task), $tasks);
echo counts($pool);
var_dump($made);
?>
--EXPECT--
0/3/3
NULL
3/0/3
int(3)
