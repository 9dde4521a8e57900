--TEST--
Pool: a creation that fails hands its place to the next in line (B39)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$calls = 0;
$pool = new Pool(factory: function () use (&$calls) {
    $number = ++$calls;
    delay(1);
    throw new RuntimeException("attempt $number");
}, max: 1);
$tasks = [];
for ($i = 0; $i < 4; $i++) {
    $tasks[] = spawn(fn() => $pool->acquire());
}
foreach ($tasks as $task) {
    echo thrown(fn() => await($task));
}
echo counts($pool);
?>
--EXPECT--
RuntimeException: attempt 1
RuntimeException: attempt 2
RuntimeException: attempt 3
RuntimeException: attempt 4
0/0/0
