--TEST--
Pool: a late release, of a pool that is gone, throws what its hooks throw, and destroys all the same (R40)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\AsyncCancellation;
use Async\Pool;

$late = function (Closure $beforeRelease, Closure $destructor): void {
    $pool = new Pool(
        factory: counter(),
        destructor: hook('destructor', $destructor),
        beforeRelease: hook('beforeRelease', $beforeRelease),
    );
    $held = $pool->acquire();
    $pool->__destruct();
    echo thrown(fn() => $pool->release($held));
    echo thrown(fn() => $pool->release($held));
};
$late(fn() => throw new AsyncCancellation('cancelled'), fn() => null);
$late(fn() => throw new AsyncCancellation('cancelled'), fn() => throw new DomainException('and failed'));
$late(fn() => throw new LogicException('a refusal'), fn() => throw new DomainException('failed'));
echo live(), "\n";
?>
--EXPECT--
factory(1)
beforeRelease(1)
destructor(1)
Async\AsyncCancellation: cancelled
Async\PoolException: Resource is not lent by this pool
factory(1)
beforeRelease(1)
destructor(1)
DomainException: and failed < Async\AsyncCancellation: cancelled
Async\PoolException: Resource is not lent by this pool
factory(1)
beforeRelease(1)
destructor(1)
DomainException: failed
Async\PoolException: Resource is not lent by this pool
0
