--TEST--
Pool: a creation that finishes after close is destroyed, its caller is told (B44)
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

    return 'late';
}, destructor: hook('destructor'));
$task = spawn(fn() => $pool->acquire());
suspend();
echo counts($pool);
$pool->close();
echo thrown(fn() => await($task));
echo counts($pool);
?>
--EXPECT--
0/1/1
destructor(late)
Async\PoolException: Pool is closed
0/0/0
