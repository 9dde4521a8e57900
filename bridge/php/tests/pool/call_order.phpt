--TEST--
Pool: the hooks of one life, in their order (B11, B18, B65)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(
    factory: counter(),
    destructor: hook('destructor'),
    beforeAcquire: hook('beforeAcquire'),
    beforeRelease: hook('beforeRelease'),
    min: 1,
    max: 2,
);
echo "made\n";
$resource = $pool->tryAcquire();
echo "acquired\n";
$pool->release($resource);
echo "released\n";
$pool->close();
?>
--EXPECT--
factory(1)
made
beforeAcquire(1)
acquired
beforeRelease(1)
released
destructor(1)
