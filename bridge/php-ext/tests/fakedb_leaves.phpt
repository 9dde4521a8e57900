--TEST--
Another extension: coroutines that wait in C code leave the line in any order (P34)
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/ext.inc';

use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = FakeDb\pool(1);
$held = FakeDb\connect($pool);
$tasks = [];
foreach ([1, 2, 3] as $number) {
    $tasks[$number] = spawn(fn() => FakeDb\connect($pool));
}
suspend();
foreach ([2, 1, 3] as $number) {
    $tasks[$number]->cancel();
    echo strtok(thrown(fn() => await($tasks[$number])), ':'), "\n";
}
echo counts($pool);
unset($held, $pool, $tasks);
$left = live();
echo FakeDb\opened(), " $left\n";
?>
--EXPECT--
Async\AsyncCancellation
Async\AsyncCancellation
Async\AsyncCancellation
0/1/1
0 0
