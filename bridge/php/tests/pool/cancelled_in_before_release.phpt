--TEST--
Pool: a cancellation inside beforeRelease is raised again, after the release (S9)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter(), destructor: hook('destructor'), beforeRelease: function (): bool {
    delay(5000);

    return true;
}, max: 1);
$pool->setCircuitBreakerStrategy(teller());
$resource = $pool->acquire();
$task = spawn(function () use ($pool, $resource): void {
    try {
        $pool->release($resource);
        echo "not reached\n";
    } finally {
        echo counts($pool);
    }
});
suspend();
$task->cancel();
echo strtok(thrown(fn() => await($task)), ':'), "\n";
?>
--EXPECT--
factory(1)
destructor(1)
0/0/0
Async\AsyncCancellation
