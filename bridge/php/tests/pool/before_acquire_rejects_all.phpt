--TEST--
Pool: all idle ones refused, in their order, then one new one (B59)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(
    factory: counter(),
    destructor: hook('destructor'),
    beforeAcquire: hook('beforeAcquire', false),
    min: 3,
    max: 4,
);
echo 'got ' . $pool->acquire() . "\n";
echo counts($pool);
?>
--EXPECT--
factory(1)
factory(2)
factory(3)
beforeAcquire(1)
destructor(1)
beforeAcquire(2)
destructor(2)
beforeAcquire(3)
destructor(3)
factory(4)
got 4
0/1/1
