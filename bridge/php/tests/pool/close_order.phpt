--TEST--
Pool: closed before the first destructor runs, and who waits need not wait for that (B108, B109)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter(), destructor: function (int $resource) use (&$pool): void {
    echo "destructor($resource) begins, closed: ", var_export($pool->isClosed(), true), "\n";
    delay(5);
    echo "destructor($resource) ends\n";
}, max: 2);
$held = [$pool->acquire(), $pool->acquire()];
$task = spawn(function () use ($pool): void {
    echo thrown(fn() => $pool->acquire());
});
suspend();
array_map($pool->release(...), $held); // one is promised to the waiter, which has not run
$pool->close();
echo "closed\n";
await($task);
echo counts($pool);
?>
--EXPECT--
factory(1)
factory(2)
destructor(1) begins, closed: true
Async\PoolException: Pool is closed
destructor(1) ends
destructor(2) begins, closed: true
destructor(2) ends
closed
0/0/0
