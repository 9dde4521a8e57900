--TEST--
Pool: drain() sends newcomers away, serves who stands in line, and returns when everything is back and destroyed
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(counter(), hook('destructor'), min: 2, max: 2);
$first = $pool->acquire();
$second = $pool->acquire();
$next = spawn(function () use ($pool): void {
    $resource = $pool->acquire();
    echo "served: $resource\n";
    suspend();
    $pool->release($resource);
});
suspend();
$drain = spawn(function () use ($pool): void {
    $pool->drain();
    echo "drained\n";
});
suspend();
var_dump($pool->isClosed());
echo thrown(fn() => $pool->acquire());
$pool->release($first);
await($next);
echo counts($pool);
$pool->release($second);
await($drain);
echo counts($pool);
$pool->drain(1); // again
$pool->close();
$pool->__destruct();
$pool->drain();
echo $pool->count(), "\n";
unset($pool, $next, $drain);
echo live(), "\n";
?>
--EXPECT--
factory(1)
factory(2)
bool(true)
Async\PoolException: Pool is closed
served: 1
destructor(1)
0/1/1
destructor(2)
drained
0/0/0
0
0
