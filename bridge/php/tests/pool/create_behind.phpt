--TEST--
Pool: with createBehind a coroutine calls the factory, and who waits takes what comes first, in its time
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$made = 0;
$open = false; // what the factory waits for
$pool = new Pool(
    factory: function () use (&$made, &$open): int {
        $number = ++$made;
        echo "begins $number\n";
        while (!$open) {
            delay(1);
        }

        return $number;
    },
    destructor: hook('destructor'),
    max: 2,
    createBehind: true,
);
var_dump($pool->tryAcquire(), $made); // starts none
echo thrown(fn() => $pool->acquire(1)); // its deadline is kept
var_dump($pool->stats()->making, $pool->activeCount());
$open = true;
while ($pool->idleCount() === 0) { // nothing is lost
    delay(1);
}
var_dump($pool->acquire());

// what is given back comes before what is being made
$open = false;
$task = spawn(fn() => $pool->acquire());
suspend();
suspend();
$pool->release(1);
echo await($task), "\n";
$open = true;
while ($pool->idleCount() === 0) {
    delay(1);
}
echo counts($pool);
$pool->close();
$pool->release(1);

// a factory that does not wait, in the main flow
$pool = new Pool(counter(), createBehind: true, min: 1);
$lent = [$pool->acquire(), $pool->acquire(), $pool->with(fn(int $resource) => $resource)];
echo implode(' ', $lent), "\n";
echo counts($pool);
unset($pool, $task);
echo live(), "\n";
?>
--EXPECT--
NULL
int(0)
begins 1
Async\TimeoutException: Operation has been cancelled by timeout
int(1)
int(1)
int(1)
begins 2
1
1/1/2
destructor(2)
destructor(1)
factory(1)
factory(2)
factory(3)
1 2 3
1/2/3
0
