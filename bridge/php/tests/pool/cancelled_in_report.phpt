--TEST--
Pool: a cancellation inside a report is raised again, the verdict stands (S9)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

foreach ([null, fn() => true] as $beforeRelease) {
    $pool = new Pool(factory: counter(), destructor: hook('destructor'), beforeRelease: $beforeRelease, max: 1);
    $pool->setCircuitBreakerStrategy(teller(fn() => delay(5000)));
    $resource = $pool->acquire();
    $task = spawn(fn() => $pool->release($resource));
    suspend();
    echo counts($pool);
    $task->cancel();
    echo strtok(thrown(fn() => await($task)), ':'), "\n";
    echo counts($pool);
    $pool->close();
}
?>
--EXPECT--
factory(1)
success
0/1/1
Async\AsyncCancellation
1/0/1
destructor(1)
factory(1)
success
0/1/1
Async\AsyncCancellation
1/0/1
destructor(1)
