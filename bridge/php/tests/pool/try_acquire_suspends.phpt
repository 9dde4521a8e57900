--TEST--
Pool: tryAcquire() does not wait for others, but takes as long as its hooks (B33)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: function (): string {
    delay(5);

    return 'slow';
}, beforeAcquire: function (): bool {
    delay(5);

    return true;
}, max: 1);
foreach (['factory', 'beforeAcquire'] as $hook) {
    $task = spawn(fn() => $pool->tryAcquire());
    suspend();
    echo "$hook ", counts($pool);
    var_dump($task->isCompleted(), $pool->tryAcquire());
    var_dump(await($task));
    $pool->release('slow');
}
?>
--EXPECT--
factory 0/1/1
bool(false)
NULL
string(4) "slow"
beforeAcquire 0/1/1
bool(false)
NULL
string(4) "slow"
