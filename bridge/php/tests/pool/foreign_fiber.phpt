--TEST--
Pool: fibers that no loop made wait and are served as well (E2, P29)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

$pool = new Pool(factory: counter(), max: 1);
$held = $pool->acquire();
$fiber = new Fiber(function () use ($pool): void {
    echo 'fiber got ' . $pool->acquire() . "\n";
    $pool->release(1);
});
$fiber->start();
$pool->release($held);
delay(1);
var_dump($fiber->isTerminated());
echo counts($pool);
?>
--EXPECT--
factory(1)
fiber got 1
bool(true)
1/0/1
