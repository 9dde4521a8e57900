--TEST--
Pool: a resource counts until it is idle or its destructor has returned (B71, S7)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$pool = new Pool(
    factory: counter(),
    destructor: function () use (&$pool): void {
        delay(3);
        echo 'destroying ', counts($pool);
    },
    beforeRelease: fn($r) => $r !== 2,
    max: 1,
);
$pool->setCircuitBreakerStrategy(teller(function (Pool $source): void {
    delay(3);
    echo 'reporting ', counts($source);
}));
$pool->release($pool->acquire());
$resource = $pool->acquire();
$task = spawn(fn() => $pool->release($resource));
$next = spawn(fn() => $pool->acquire());
await($task);
var_dump(await($next));
$pool->release(1);
$pool->close();
?>
--EXPECT--
factory(1)
success
reporting 0/1/1
success
reporting 0/1/1
int(1)
success
reporting 0/1/1
destroying 0/1/1
