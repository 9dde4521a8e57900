--TEST--
Pool: a check of a resource while places are promised lets nobody barge in (S2)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter(), healthcheck: function (): bool {
    delay(5);

    return true;
}, min: 2, max: 2, healthcheckInterval: 1);
$held = [$pool->acquire(), $pool->acquire()];
$first = spawn(fn() => $pool->acquire());
$second = spawn(fn() => $pool->acquire());
suspend();
array_map($pool->release(...), $held);
var_dump($pool->tryAcquire());
var_dump(await($first), await($second));
echo counts($pool);
foreach ([1, 2] as $resource) {
    $pool->release($resource);
}
while ($pool->activeCount() === 0) {
    delay(1); // until one is being checked
}
$got = [$pool->acquire(), $pool->tryAcquire()];
var_dump(count(array_filter($got)) + $pool->idleCount() <= 2, $pool->count());
?>
--EXPECT--
factory(1)
factory(2)
NULL
int(1)
int(2)
0/2/2
bool(true)
int(2)
