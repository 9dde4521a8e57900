--TEST--
Pool: idle resources are preferred to new ones, oldest first (B27, B28, B31, B48)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), destructor: hook('destructor'), max: 3);
for ($i = 0; $i < 3; $i++) {
    $resource = $pool->acquire();
    echo "got $resource\n";
    $pool->release($resource);
}
$held = [$pool->acquire(), $pool->acquire(), $pool->acquire()];
foreach ([2, 1, 3] as $resource) {
    $pool->release($resource);
}
echo $pool->acquire(), $pool->acquire(), "\n";
$pool->release(2);
$pool->close(); // idle since longest: 3, then 2
?>
--EXPECT--
factory(1)
got 1
got 1
got 1
factory(2)
factory(3)
21
destructor(3)
destructor(2)
