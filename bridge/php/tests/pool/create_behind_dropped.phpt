--TEST--
Pool: a factory behind that will never go on is collected by that of another pool, whose caller goes on
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(function (): int {
    try {
        Fiber::suspend(); // nobody resumes it
    } finally {
        echo "dropped\n";
    }
    return 1;
}, max: 1, createBehind: true);
echo thrown(fn() => $pool->acquire(1));
$isServed = false;
spawn(function () use (&$isServed): void { // a wake-up that is lost shows while something else can run
    for ($turns = 0; !$isServed && $turns < 10_000; $turns++) {
        suspend();
    }
    echo $isServed ? "in time\n" : "too late\n";
});
$pool = null;
$pool = new Pool(function () use (&$pool): int {
    $pool = null;
    gc_collect_cycles();
    suspend();
    return 2;
}, max: 1, createBehind: true);
var_dump($pool->acquire());
$isServed = true;
?>
--EXPECT--
Async\TimeoutException: Operation has been cancelled by timeout
dropped
int(2)
in time
