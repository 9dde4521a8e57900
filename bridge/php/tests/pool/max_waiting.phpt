--TEST--
Pool: no more than maxWaiting stand in line, one more is told so at once, and waitingCount() says how many do
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use Async\PoolException;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(counter(), max: 1, maxWaiting: 2);
$held = $pool->acquire();
var_dump($pool->waitingCount());
$line = [spawn($pool->acquire(...)), spawn($pool->acquire(...))];
suspend();
var_dump($pool->waitingCount());
echo thrown(fn() => $pool->acquire());
echo thrown(fn() => $pool->with(var_dump(...), timeout: 1000));
var_dump($pool->tryAcquire());
try {
    $pool->acquire(1);
} catch (PoolException $exception) {
    var_dump($exception instanceof Async\OverloadedException);
}
$pool->release($held);
$pool->release(await($line[0]));
await($line[1]);
var_dump($pool->waitingCount(), $pool->stats()->overloaded, $pool->stats()->peakWaiting);
$pool->__destruct();
var_dump($pool->waitingCount());
?>
--EXPECT--
factory(1)
int(0)
int(2)
Async\OverloadedException: Too many wait for a resource already
Async\OverloadedException: Too many wait for a resource already
NULL
bool(true)
int(0)
int(3)
int(2)
int(0)
