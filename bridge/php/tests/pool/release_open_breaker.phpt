--TEST--
Pool: release works in every state of the breaker (B54, B132)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), max: 2);
$held = [$pool->acquire(), $pool->acquire()];
$pool->deactivate();
$pool->release($held[0]);
echo counts($pool);
$pool->recover();
$pool->release($held[1]);
echo counts($pool);
?>
--EXPECT--
factory(1)
factory(2)
1/1/2
2/0/2
