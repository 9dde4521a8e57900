--TEST--
Pool: min resources are made in the constructor, without hooks (B17, B18)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(
    factory: counter(),
    beforeAcquire: hook('beforeAcquire'),
    beforeRelease: hook('beforeRelease'),
    min: 3,
    max: 5,
);
echo counts($pool);
?>
--EXPECT--
factory(1)
factory(2)
factory(3)
3/0/3
