--TEST--
Pool: an exception in beforeAcquire refuses, and is not seen (B60, R26)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(
    factory: counter(),
    destructor: hook('destructor'),
    beforeAcquire: hook('beforeAcquire', fn() => throw new TypeError('broken')),
    min: 1,
    max: 2,
);
echo 'got ' . $pool->tryAcquire() . "\n";
echo counts($pool);
?>
--EXPECT--
factory(1)
beforeAcquire(1)
destructor(1)
factory(2)
got 2
0/1/1
