--TEST--
Pool: closed while beforeRelease suspends: destroyed afterwards (B56, B116)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(
    factory: counter(),
    destructor: hook('destructor'),
    beforeRelease: function (): bool {
        delay(3);

        return true;
    },
);
$resource = $pool->acquire();
$task = spawn(fn() => $pool->release($resource));
suspend();
$pool->close();
echo 'closed ', counts($pool);
await($task);
echo counts($pool);
?>
--EXPECT--
factory(1)
closed 0/1/1
destructor(1)
0/0/0
