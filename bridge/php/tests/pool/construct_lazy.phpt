--TEST--
Pool: without min nothing is made up front (B01)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter());
echo counts($pool);
var_dump($pool->isClosed());
?>
--EXPECT--
0/0/0
bool(false)
