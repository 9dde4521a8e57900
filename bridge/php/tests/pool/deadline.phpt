--TEST--
Pool: the timeout is one deadline for the whole call, and no limit to hooks (B43, B99, B102)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$pool = new Pool(factory: function (): int {
    delay(30);

    return 1;
}, max: 1);
var_dump($pool->acquire(timeout: 1)); // the factory is slow, nobody is waited for
$begin = hrtime(true);
$waits = spawn(fn() => $pool->acquire(timeout: 100));
echo thrown(fn() => await($waits));
$elapsed = (hrtime(true) - $begin) / 1e6;
var_dump($elapsed >= 100);
$pool->release(1);
var_dump($pool->acquire(timeout: 1));
?>
--EXPECT--
int(1)
Async\TimeoutException: Operation has been cancelled by timeout
bool(true)
int(1)
