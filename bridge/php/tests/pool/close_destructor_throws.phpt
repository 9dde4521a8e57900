--TEST--
Pool: a destructor's exception leaves close(), several as a chain (B75, B76, R43)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), destructor: function ($r): void {
    echo "destructor($r)\n";
    throw new RuntimeException("failed $r");
}, min: 3);
echo thrown($pool->close(...));
var_dump($pool->isClosed());
echo counts($pool);
echo thrown($pool->close(...));
?>
--EXPECT--
factory(1)
factory(2)
factory(3)
destructor(1)
destructor(2)
destructor(3)
RuntimeException: failed 3 < RuntimeException: failed 2 < RuntimeException: failed 1
bool(true)
0/0/0
nothing thrown
