--TEST--
Pool: only what is promised is withheld, the surplus stays available (B85, B89)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter(), max: 3);
$held = [$pool->acquire(), $pool->acquire(), $pool->acquire()];
$waiter = spawn(fn() => $pool->acquire());
suspend();
array_map($pool->release(...), $held);
echo counts($pool);
$mine = $pool->tryAcquire();
$more = $pool->tryAcquire();
var_dump($mine, $more, $pool->tryAcquire());
echo counts($pool);
var_dump(await($waiter));
echo counts($pool);
?>
--EXPECT--
factory(1)
factory(2)
factory(3)
3/0/3
int(2)
int(3)
NULL
1/2/3
int(1)
0/3/3
