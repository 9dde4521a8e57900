--TEST--
Pool: release into a closed pool destroys, before it returns (B50, B106, B110, B133)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(
    factory: counter(),
    destructor: hook('destructor'),
    beforeRelease: hook('beforeRelease', fn($r) => $r !== 2),
);
$pool->setCircuitBreakerStrategy(teller());
$held = [$pool->acquire(), $pool->acquire()];
$pool->close();
echo "closed\n", counts($pool);
$pool->release($held[0]);
$pool->release($held[1]);
echo counts($pool);
echo $pool->getState()->name, "\n";
echo thrown(fn() => $pool->release($held[0]));
?>
--EXPECT--
factory(1)
factory(2)
closed
0/2/2
beforeRelease(1)
success
destructor(1)
beforeRelease(2)
failure: Exception: Resource validation failed
destructor(2)
0/0/0
ACTIVE
Async\PoolException: Resource is not lent by this pool
