--TEST--
Pool: a place granted to a woken waiter is nobody else's (B32, B85 to B88, B90)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter(), max: 1);
$held = $pool->acquire();
$waiter = spawn(function () use ($pool): void {
    $resource = $pool->acquire();
    echo "waiter got $resource\n";
    $pool->release($resource);
});
suspend();
$pool->release($held);
echo counts($pool); // woken, has not run
var_dump($pool->tryAcquire());
$newcomer = spawn(function () use ($pool): void {
    echo 'newcomer got ', $pool->acquire(), "\n";
});
await($waiter);
await($newcomer);
echo counts($pool);
?>
--EXPECT--
factory(1)
1/0/1
NULL
waiter got 1
newcomer got 1
0/1/1
