--TEST--
Pool: of identical values one is discarded or detached, and the others stay what they are
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$object = new stdClass();
foreach (['same', ['a' => 1], $object, 1.5] as $value) {
    $gone = 0;
    $pool = new Pool(factory: fn() => $value, destructor: function () use (&$gone): void { $gone++; }, max: 4);
    $lent = [$pool->acquire(), $pool->acquire(), $pool->acquire(), $pool->acquire()];
    $pool->discard($lent[0]);
    $pool->detach($lent[1]);
    $pool->release($lent[2]);
    echo counts($pool);
    $pool->discard($lent[3]);
    echo thrown(fn() => $pool->discard($value));
    echo thrown(fn() => $pool->detach($value));
    echo counts($pool), "$gone\n";
    $pool->close();
    echo "$gone\n";
}
?>
--EXPECT--
1/1/2
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
1/0/1
2
3
1/1/2
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
1/0/1
2
3
1/1/2
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
1/0/1
2
3
1/1/2
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
1/0/1
2
3
