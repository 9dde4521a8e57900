--TEST--
Pool: what destroys a resource, each exactly once; without a destructor too (B73, B74)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

foreach ([hook('destructor'), null] as $destructor) {
    $pool = new Pool(
        factory: counter(),
        destructor: $destructor,
        beforeAcquire: fn($r) => $r !== 1,
        beforeRelease: fn($r) => $r !== 2,
        min: 1,
        max: 2,
    );
    $pool->release($pool->acquire()); // 1 refused before, 2 after
    echo counts($pool);
    $held = [$pool->acquire(), $pool->acquire()];
    $pool->release($held[0]);
    echo counts($pool);
    $pool->close();
    $pool->release($held[1]);
    echo counts($pool);
}
?>
--EXPECT--
factory(1)
destructor(1)
factory(2)
destructor(2)
0/0/0
factory(3)
factory(4)
1/1/2
destructor(3)
destructor(4)
0/0/0
factory(1)
factory(2)
0/0/0
factory(3)
factory(4)
1/1/2
0/0/0
