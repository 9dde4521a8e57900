--TEST--
Pool: what is discarded is destroyed unasked and unreported, and its place goes to who has waited longest
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(
    factory: counter(),
    destructor: hook('destructor'),
    beforeAcquire: hook('beforeAcquire'),
    beforeRelease: hook('beforeRelease'),
    max: 1,
);
$pool->setCircuitBreakerStrategy(teller());
$broken = $pool->acquire();
$next = spawn(fn() => $pool->acquire());
suspend();
$pool->discard($broken);
echo counts($pool);
$made = await($next);
echo "made: $made\n", counts($pool);
echo thrown(fn() => $pool->discard($broken));
$pool->close();
$pool->discard($made); // as ever on a closed pool
echo counts($pool), live(), "\n";
unset($pool, $next);
echo live(), "\n";
?>
--EXPECT--
factory(1)
destructor(1)
0/0/0
factory(2)
made: 2
0/1/1
Async\PoolException: Resource is not lent by this pool
destructor(2)
0/0/0
1
0
