--TEST--
Pool: what is detached is the caller's, no hook runs for it, and its place goes to who has waited longest
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$made = 0;
$pool = new Pool(
    factory: function () use (&$made): ArrayObject {
        return new ArrayObject([++$made]);
    },
    destructor: fn(ArrayObject $object) => print("destructor({$object[0]})\n"),
    beforeRelease: hook('beforeRelease'),
    max: 1,
);
$pool->setCircuitBreakerStrategy(teller());
$mine = $pool->acquire();
$weak = WeakReference::create($mine);
$next = spawn(fn() => $pool->acquire());
suspend();
$pool->detach($mine);
echo counts($pool);
$other = await($next);
echo counts($pool), "$other[0]\n";
echo thrown(fn() => $pool->release($mine));
echo thrown(fn() => $pool->detach($mine));
echo "$mine[0]\n";
unset($mine);
var_dump($weak->get()); // the pool does not keep it
$pool->close();
$pool->detach($other);
echo counts($pool);
unset($pool, $next);
echo live(), " $other[0]\n";
?>
--EXPECT--
0/0/0
0/1/1
2
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
1
NULL
0/0/0
0 2
