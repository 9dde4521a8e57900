--TEST--
Pool: one report for each release, of nothing else (B62, B124, B125, B127)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\spawn;
use function Async\suspend;

$calls = 0;
$pool = new Pool(
    factory: function () use (&$calls): int {
        return ++$calls === 1 ? throw new RuntimeException() : $calls;
    },
    beforeAcquire: fn($r) => $r !== 2,
    max: 1,
);
$pool->setCircuitBreakerStrategy(teller());
echo thrown(fn() => $pool->acquire());
$held = $pool->acquire();
echo thrown(fn() => $pool->acquire(timeout: 1));
$waiter = spawn(fn() => $pool->acquire());
suspend();
$waiter->cancel();
$pool->release($held);
$held = $pool->acquire(); // 2 is refused
echo "got $held\n";
$pool->release($held);
$pool->close();
?>
--EXPECT--
RuntimeException: 
Async\TimeoutException: Operation has been cancelled by timeout
success
got 3
success
