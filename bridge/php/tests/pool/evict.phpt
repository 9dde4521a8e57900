--TEST--
Pool: evict() destroys what is idle now and what is lent when it comes back, and nobody loses its place
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(counter(), hook('destructor'), beforeRelease: hook('beforeRelease'), min: 2, max: 2);
$lent = $pool->acquire();
$pool->evict();
echo counts($pool);
$other = $pool->acquire();
$next = spawn(fn() => $pool->acquire());
suspend();
$pool->release($lent);
echo await($next), "\n";
echo counts($pool);
$pool->release($other);
echo counts($pool), $pool->stats()->destroyedEvicted, "\n";
$pool->evict();
$pool->evict();
echo counts($pool);

// what destructors throw, the last one first, and the others are destroyed all the same
$pool = new Pool(counter(), fn(int $resource) => throw new Exception("destructor $resource"), min: 2);
echo thrown(fn() => $pool->evict());
echo counts($pool);
$pool->close();
echo thrown(fn() => $pool->evict());
$pool->__destruct();
echo thrown(fn() => $pool->evict());
unset($pool, $next);
echo live(), "\n";
?>
--EXPECT--
factory(1)
factory(2)
destructor(2)
0/1/1
factory(3)
beforeRelease(1)
destructor(1)
factory(4)
4
0/2/2
beforeRelease(3)
1/1/2
2
destructor(3)
0/1/1
factory(1)
factory(2)
Exception: destructor 2 < Exception: destructor 1
0/0/0
Async\PoolException: Pool is closed
Async\PoolException: Pool is closed
0
