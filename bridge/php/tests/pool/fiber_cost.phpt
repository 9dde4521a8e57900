--TEST--
Pool: entering the library from a fiber costs what it costs from the main flow (P32)
--SKIPIF--
<?php
if (!is_readable('/proc/self/io')) die('skip this system does not count what a process reads');
?>
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: fn() => new stdClass(), beforeAcquire: fn() => true, beforeRelease: fn() => true, max: 1);
/** How often this process has read from a file, or whatever else can be read. */
$reads = fn(): int => (int) explode(' ', file_get_contents('/proc/self/io'))[3];
$cycles = function () use ($pool, $reads): int {
    $begin = $reads();
    for ($i = 0; $i < 1000; $i++) {
        $pool->release($pool->acquire());
    }

    return $reads() - $begin;
};
$cycles();
$main = $cycles();
$fiber = new Fiber($cycles);
$fiber->start();
// Without the cache of stack bounds each call would read /proc/self/maps, which costs some 300 times as much.
var_dump($main < 100, $fiber->getReturn() < 100);
?>
--EXPECT--
bool(true)
bool(true)
