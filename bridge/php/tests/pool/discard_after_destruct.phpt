--TEST--
Pool: what outlives its pool's destructor can still be discarded, detached, and come back from with()
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), destructor: hook('destructor'), beforeRelease: hook('beforeRelease'), min: 4);
$pool->setCircuitBreakerStrategy(teller());
[$first, $second] = [$pool->acquire(), $pool->acquire()];
$pool->with(function (int $third) use ($pool, $first, $second): void {
    $pool->with(function (int $fourth) use ($pool): void {
        $pool->__destruct();
        $pool->release($fourth);
        echo "released\n";
    });
    $pool->discard($first);
    $pool->detach($second);
    echo thrown(fn() => $pool->discard($first));
    echo thrown(fn() => $pool->detach($second));
});
echo thrown(fn() => $pool->with(var_dump(...)));
echo live(), "\n";
?>
--EXPECT--
factory(1)
factory(2)
factory(3)
factory(4)
beforeRelease(4)
success
destructor(4)
released
destructor(1)
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
beforeRelease(3)
success
destructor(3)
Async\PoolException: Pool is closed
0
