--TEST--
Pool: what outlives its pool's destructor can still be released (B50, R40, P27)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

// as at the end of a script, where PHP calls all destructors before anything is gone
$pool = new Pool(factory: counter(), destructor: hook('destructor'), beforeRelease: hook('beforeRelease'), min: 2);
$pool->setCircuitBreakerStrategy(teller());
$first = $pool->acquire();
$second = $pool->acquire();
$pool->release($second);
$pool->__destruct();
echo live(), "\n";
$pool->release($first);
echo thrown(fn() => $pool->release($first));
echo thrown(fn() => $pool->release($second));
echo counts($pool);
echo thrown(fn() => $pool->acquire());
var_dump($pool->tryAcquire(), $pool->isClosed());
$pool->close();
$pool->activate();
?>
--EXPECT--
factory(1)
factory(2)
beforeRelease(2)
success
destructor(2)
0
beforeRelease(1)
success
destructor(1)
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
0/0/0
Async\PoolException: Pool is closed
NULL
bool(true)
