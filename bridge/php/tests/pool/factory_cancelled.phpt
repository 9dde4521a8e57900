--TEST--
Pool: a cancellation inside a factory leaves acquire(), the place goes on (B41, S9)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$calls = 0;
$pool = new Pool(factory: function () use (&$calls): int {
    if (++$calls === 1) {
        delay(5000);
    }

    return $calls;
}, max: 1);
$first = spawn(fn() => $pool->acquire());
$second = spawn(fn() => $pool->acquire());
suspend();
$first->cancel();
try {
    await($first);
} catch (Async\AsyncCancellation) {
    echo "cancelled\n";
}
var_dump(await($second));
echo counts($pool);
?>
--EXPECT--
cancelled
int(2)
0/1/1
