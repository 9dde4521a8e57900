--TEST--
Pool: with createRetry a failed creation is waited out, one at a time; who runs out of time is thrown why
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$left = 3;
$begun = 0;
$pool = new Pool(
    factory: function () use (&$left, &$begun): int {
        $begun++;

        return $left-- > 0 ? throw new RuntimeException("down, $left left") : $begun;
    },
    max: 3,
    createRetry: 1,
    createRetryMax: 2,
);
echo $pool->acquire(), " after $begun\n";
var_dump($pool->stats()->failed, $pool->stats()->created);

// those who come in a pause stand in line, and all are served
$left = 2;
$line = array_map(fn(int $timeout) => spawn(fn() => $pool->acquire($timeout)), [0, 60_000]);
foreach ($line as $task) {
    var_dump(is_int(await($task)));
}
echo counts($pool);
$pool->close();

// whose time is over
$left = PHP_INT_MAX;
$pool = new Pool(fn() => throw new RuntimeException('down'), max: 1, createRetry: 3_600_000);
echo thrown(fn() => $pool->acquire(1));
echo counts($pool);
var_dump($pool->tryAcquire()); // in a pause none begins
$task = spawn(fn() => $pool->acquire(1)); // nor for who comes then, and is told as well
echo thrown(fn() => await($task));

// a factory that is left by a cancellation has not failed
$pool = new Pool(fn() => Async\delay(60_000), max: 1, createRetry: 3_600_000);
$task = spawn(fn() => $pool->acquire());
suspend();
$task->cancel();
echo thrown(fn() => await($task));
var_dump($pool->stats()->failed, $pool->stats()->cancelled);
echo counts($pool);
unset($pool, $task, $line);
echo live(), "\n";
?>
--EXPECT--
4 after 4
int(3)
int(1)
bool(true)
bool(true)
0/3/3
RuntimeException: down
0/0/0
NULL
Async\PoolException: Failed to create pool resource: down
Async\AsyncCancellation: The coroutine was cancelled
int(1)
int(1)
0/0/0
0
