--TEST--
Pool: a pool that ends while something is made behind does not wait for it, and it is destroyed
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$open = false;
$factory = function () use (&$open): stdClass {
    while (!$open) {
        delay(1);
    }
    echo "made\n";

    return new stdClass();
};
$ends = [
    'close' => fn(Pool $pool) => $pool->close(),
    'destruct' => fn(Pool $pool) => $pool->__destruct(),
    'breaker' => fn(Pool $pool) => $pool->deactivate(),
];
foreach ($ends as $name => $end) {
    $open = false;
    $pool = new Pool($factory, hook('destructor'), max: 1, createBehind: true);
    $task = spawn($pool->acquire(...));
    suspend();
    suspend();
    var_dump($pool->activeCount());
    $end($pool);
    echo "$name: ", thrown(fn() => await($task));
    $open = true;
    while ($pool->activeCount() > 0) {
        delay(1);
    }
    delay(5);
    echo counts($pool);
    $pool->close();
    unset($pool, $task);
    echo live(), "\n";
}

// a drain waits for it
$open = false;
$pool = new Pool($factory, hook('destructor'), max: 1, createBehind: true);
echo thrown(fn() => $pool->acquire(1));
$task = spawn($pool->drain(...));
suspend();
$open = true;
await($task);
echo counts($pool);

// a pool that nobody has any more goes once it is made
$open = false;
$pool = new Pool($factory, hook('destructor'), max: 1, createBehind: true);
echo thrown(fn() => $pool->acquire(1));
$weak = WeakReference::create($pool);
unset($pool);
$open = true;
while ($weak->get() !== null) {
    delay(1);
}
?>
--EXPECT--
int(1)
close: Async\PoolException: Pool is closed
made
destructor(stdClass)
0/0/0
0
int(1)
destruct: Async\PoolException: Pool is closed
made
destructor(stdClass)
0/0/0
0
int(1)
breaker: Async\ServiceUnavailableException: Service is unavailable (circuit breaker is open)
made
1/0/1
destructor(stdClass)
0
Async\TimeoutException: Operation has been cancelled by timeout
made
destructor(stdClass)
0/0/0
Async\TimeoutException: Operation has been cancelled by timeout
made
destructor(stdClass)
