--TEST--
Pool: closed while beforeAcquire suspends: what passes is lent, and destroyed at its release (B44)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

foreach ([true, false] as $answer) {
    $pool = new Pool(
        factory: counter(),
        destructor: hook('destructor'),
        beforeAcquire: function () use ($answer): bool {
            delay(5);

            return $answer;
        },
        min: 1,
    );
    $task = spawn(fn() => $pool->acquire());
    suspend();
    $pool->close();
    echo 'closed ', counts($pool);
    echo thrown(function () use ($task, $pool): void {
        $resource = await($task);
        echo "lent $resource\n";
        $pool->release($resource);
    });
    echo counts($pool);
}
?>
--EXPECT--
factory(1)
closed 0/1/1
lent 1
destructor(1)
nothing thrown
0/0/0
factory(1)
closed 0/1/1
destructor(1)
Async\PoolException: Pool is closed
0/0/0
