--TEST--
Pool: entering the library from a fiber costs what it costs from the main flow
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: fn() => new stdClass(), beforeAcquire: fn() => true, beforeRelease: fn() => true, max: 1);
$time = function () use ($pool): float {
    $begin = ran();
    for ($i = 0; $i < 1000; $i++) {
        $pool->release($pool->acquire());
    }

    return ran() - $begin;
};
$time();
$main = min($time(), $time());
$fibers = [];
for ($i = 0; $i < 2; $i++) {
    $fiber = new Fiber($time);
    $fiber->start();
    $fibers[] = $fiber->getReturn();
}
// Without the cache of stack bounds each call would read /proc/self/maps: some 300 times as much.
var_dump(min($fibers) < 20 * $main);
?>
--EXPECT--
bool(true)
