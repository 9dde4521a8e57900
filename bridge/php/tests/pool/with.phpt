--TEST--
Pool: with() lends for the time of a call, and releases whatever happens
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use Async\TimeoutException;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter(), destructor: hook('destructor'), beforeRelease: hook('beforeRelease'), max: 1);
var_dump($pool->with(function (int $resource) use ($pool): string {
    echo counts($pool);

    return "used $resource";
}));
echo counts($pool);
echo thrown(fn() => $pool->with(fn() => throw new DomainException('wrong')));
echo counts($pool);

// it waits its turn, and no longer than it may
$held = $pool->acquire();
$task = spawn(fn() => $pool->with(fn(int $resource): int => $resource + 1));
suspend();
echo thrown(fn() => $pool->with(var_dump(...), timeout: 1));
$pool->release($held);
echo await($task), "\n";

// a coroutine that is cancelled, and a fiber that is dropped
$task = spawn(fn() => $pool->with(fn() => delay(60_000)));
suspend();
echo counts($pool);
$task->cancel();
echo thrown(fn() => await($task));
echo counts($pool);
$fiber = new Fiber(fn() => $pool->with(fn() => Fiber::suspend()));
$fiber->start();
echo counts($pool);
unset($fiber);
echo counts($pool);

echo thrown(fn() => $pool->with(var_dump(...), -1));
$pool->close();
echo thrown(fn() => $pool->with(var_dump(...)));
unset($pool, $task);
echo live(), "\n";
?>
--EXPECT--
factory(1)
0/1/1
beforeRelease(1)
string(6) "used 1"
1/0/1
beforeRelease(1)
DomainException: wrong
1/0/1
Async\TimeoutException: Operation has been cancelled by timeout
beforeRelease(1)
beforeRelease(1)
2
0/1/1
beforeRelease(1)
Async\AsyncCancellation: The coroutine was cancelled
1/0/1
0/1/1
beforeRelease(1)
1/0/1
ValueError: Async\Pool::with(): Argument #2 ($timeout) must be >= 0
destructor(1)
Async\PoolException: Pool is closed
0
