--TEST--
Pool: a resource inside its own hook is not lent (B53)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$again = function ($resource) use (&$pool): bool {
    echo thrown(fn() => $pool->release($resource));

    return true;
};
$pool = new Pool(factory: counter(), destructor: $again, beforeAcquire: $again, beforeRelease: $again, max: 1);
$pool->release($pool->acquire());
$pool->release($pool->acquire());
$pool->close();

$told = new Pool(factory: counter(), max: 1);
$told->setCircuitBreakerStrategy(teller(fn(Pool $source) => print(thrown(fn() => $source->release(1)))));
$told->release($told->acquire());
echo counts($told);
?>
--EXPECT--
factory(1)
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
factory(1)
success
Async\PoolException: Resource is not lent by this pool
1/0/1
