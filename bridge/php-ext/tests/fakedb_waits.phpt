--TEST--
Another extension: its callers wait as coroutines, by the scheduler of this one (P34)
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/ext.inc';

use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = FakeDb\pool(2);
$most = 0;
$tasks = [];
for ($i = 0; $i < 20; $i++) {
    $tasks[] = spawn(function () use ($pool, $i, &$most): int {
        $connection = FakeDb\connect($pool);
        $most = max($most, $pool->activeCount());
        delay(1);
        $connection->query("$i");
        return $i;
    });
}
echo implode(' ', array_map(await(...), $tasks)), "\n";
echo "$most, ", counts($pool);

$held = [FakeDb\connect($pool), FakeDb\connect($pool)];
echo thrown(fn() => FakeDb\connect($pool, 5)); // the main flow waits, too
echo strtok(thrown(fn() => FakeDb\connect($pool)), ':'), "\n";
$waiting = spawn(fn() => FakeDb\connect($pool));
$other = spawn(fn() => FakeDb\connect($pool)->query('served'));
suspend();
$waiting->cancel();
suspend();
$held = [];
echo await($other), "\n";
echo strtok(thrown(fn() => await($waiting)), ':'), "\n";
echo counts($pool);
unset($pool, $tasks, $waiting, $other);
$left = live();
echo FakeDb\opened(), " $left\n";
?>
--EXPECT--
0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
2, 2/0/2
Error: FakeDb: timed out waiting for a resource
Async\DeadlockError
1: served
Async\AsyncCancellation
2/0/2
0 0
