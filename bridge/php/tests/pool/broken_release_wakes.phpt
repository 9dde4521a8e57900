--TEST--
Pool: a refused resource leaves a place that a waiter fills (B83, R05)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$made = 0;
$pool = new Pool(factory: function () use (&$made): int {
    delay(2);

    return ++$made;
}, beforeRelease: fn($r) => $r !== 1, max: 1);
$tasks = [];
foreach (['A', 'B', 'C'] as $name) {
    $tasks[] = spawn(function () use ($pool, $name): void {
        $resource = $pool->acquire();
        echo "$name got $resource\n";
        delay(3);
        $pool->release($resource);
    });
}
array_map(fn($task) => await($task), $tasks);
var_dump($made);
?>
--EXPECT--
A got 1
B got 2
C got 2
int(2)
