--TEST--
Pool: it never shrinks on its own, and min is no limit to it (B22, B23)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

$pool = new Pool(factory: counter(), beforeRelease: fn($r) => $r !== 2, min: 2, max: 3);
$held = [$pool->acquire(), $pool->acquire(), $pool->acquire()];
array_map($pool->release(...), $held);
echo counts($pool);
delay(20);
echo counts($pool);
?>
--EXPECT--
factory(1)
factory(2)
factory(3)
2/0/2
2/0/2
