--TEST--
Pool: a waiter cancelled after it was woken hands its place on (B92 to B94)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

foreach ([true, false] as $kept) {
    $pool = new Pool(factory: counter(), beforeRelease: fn() => $kept, max: 1);
    $held = $pool->acquire();
    $first = spawn(fn() => $pool->acquire());
    $second = spawn(fn() => $pool->acquire());
    suspend();
    $pool->release($held);
    $first->cancel();
    echo strtok(thrown(fn() => await($first)), ':'), "\n";
    $got = await($second);
    echo "second got $got\n";

    $alone = spawn(fn() => $pool->acquire());
    suspend();
    $pool->release($got);
    $alone->cancel();
    echo strtok(thrown(fn() => await($alone)), ':'), "\n";
    echo counts($pool);
    var_dump($pool->acquire());
}
?>
--EXPECT--
factory(1)
Async\AsyncCancellation
second got 1
Async\AsyncCancellation
1/0/1
int(1)
factory(1)
factory(2)
Async\AsyncCancellation
second got 2
Async\AsyncCancellation
0/0/0
factory(3)
int(3)
