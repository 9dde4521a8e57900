--TEST--
Pool: what is not lent is refused, and nothing changes (B53, S6, R36, R37)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: fn() => new stdClass(), beforeRelease: hook('beforeRelease'), min: 1, max: 2);
$other = new Pool(factory: fn() => new stdClass());
$pool->setCircuitBreakerStrategy(teller());
$mine = $pool->acquire();
$pool->release($mine);
foreach ([$mine, $other->acquire(), new stdClass(), null, 0, 1, 'x', []] as $foreign) {
    echo thrown(fn() => $pool->release($foreign));
    echo counts($pool);
}
?>
--EXPECT--
beforeRelease(stdClass)
success
Async\PoolException: Resource is not lent by this pool
1/0/1
Async\PoolException: Resource is not lent by this pool
1/0/1
Async\PoolException: Resource is not lent by this pool
1/0/1
Async\PoolException: Resource is not lent by this pool
1/0/1
Async\PoolException: Resource is not lent by this pool
1/0/1
Async\PoolException: Resource is not lent by this pool
1/0/1
Async\PoolException: Resource is not lent by this pool
1/0/1
Async\PoolException: Resource is not lent by this pool
1/0/1
