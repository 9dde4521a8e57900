--TEST--
Pool: after maxUses lends a resource goes, asked and reported as ever; and it is lent in turn, or what came back last
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(counter(), hook('destructor'), beforeRelease: hook('beforeRelease'), max: 1, maxUses: 2);
for ($i = 0; $i < 3; $i++) {
    $pool->release($pool->acquire());
}
echo counts($pool), $pool->stats()->destroyedUses, "\n";
$pool->close();

foreach ([false, true] as $lifo) {
    $pool = new Pool(counter(), min: 3, max: 3, lifo: $lifo);
    for ($i = 0, $lent = []; $i < 4; $i++) {
        $lent[] = $resource = $pool->acquire();
        $pool->release($resource);
    }
    echo implode(' ', $lent), "\n";
}
?>
--EXPECT--
factory(1)
beforeRelease(1)
beforeRelease(1)
destructor(1)
factory(2)
beforeRelease(2)
1/0/1
1
destructor(2)
factory(1)
factory(2)
factory(3)
1 2 3 1
factory(1)
factory(2)
factory(3)
3 3 3 3
