--TEST--
Pool: with a strategy and no hook, only what is lent is reported (P33)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: fn() => 'same', max: 3);
$before = $pool->acquire();
$idle = $pool->acquire();
$pool->release($idle);
$pool->setCircuitBreakerStrategy(teller(fn(Pool $source) => print(counts($source))));
$held = [$pool->acquire(), $pool->acquire()];
echo counts($pool);
foreach ([1, 2, 3, 4] as $time) {
    echo thrown(fn() => $pool->release('same'));
}
echo counts($pool);
?>
--EXPECTF--
0/3/3
success
%d/%d/3
nothing thrown
success
%d/%d/3
nothing thrown
success
%d/%d/3
nothing thrown
Async\PoolException: Resource is not lent by this pool
3/0/3
