--TEST--
Pool: a deadline that passes after the wake-up wins, the place goes on (B95)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: fn() => 'only', max: 1);
$held = $pool->acquire();
$first = spawn(fn() => $pool->acquire(timeout: 5));
$second = spawn(fn() => $pool->acquire());
suspend();
$pool->release($held);
for ($until = hrtime(true) + 20_000_000; hrtime(true) < $until;) {
    // woken, but not run until its time is over
}
echo thrown(fn() => await($first));
var_dump(await($second));
?>
--EXPECT--
Async\TimeoutException: Operation has been cancelled by timeout
string(4) "only"
