--TEST--
Pool: a drain whose time is over closes the pool; who waits for what nobody gives back is told of the deadlock
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(counter(), hook('destructor'), min: 1, max: 2);
$held = $pool->acquire();
echo thrown(fn() => $pool->drain(1));
echo counts($pool);
$pool->release($held);
echo counts($pool);
$pool->drain();

$pool = new Pool(counter(), hook('destructor'), min: 2, max: 2);
$held = $pool->acquire();
echo strstr(thrown(fn() => $pool->drain()), "\n", true), "\n";
var_dump($pool->isClosed());
$pool->release($held);
echo counts($pool);

// one that is cancelled undoes nothing
$pool = new Pool(counter(), hook('destructor'), max: 1);
$held = $pool->acquire();
$drain = spawn($pool->drain(...));
suspend();
$drain->cancel();
echo thrown(fn() => await($drain));
echo thrown(fn() => $pool->acquire());
$pool->release($held);
echo counts($pool);

// and what destructors throw reaches who drains, or who releases
$pool = new Pool(counter(), fn() => throw new Exception('destructor'), min: 1);
echo thrown(fn() => $pool->drain());
echo counts($pool);
unset($pool, $drain);
echo live(), "\n";
?>
--EXPECT--
factory(1)
Async\TimeoutException: Operation has been cancelled by timeout
0/1/1
destructor(1)
0/0/0
factory(1)
factory(2)
destructor(2)
Async\DeadlockError: Deadlock: nothing can run any more that could end this wait
bool(true)
destructor(1)
0/0/0
factory(1)
Async\AsyncCancellation: The coroutine was cancelled
Async\PoolException: Pool is closed
destructor(1)
0/0/0
factory(1)
Exception: destructor
0/0/0
0
