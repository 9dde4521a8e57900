--TEST--
Pool: close() destroys the idle ones, oldest first, before it returns; twice is once (B104, B105)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), destructor: hook('destructor', function () use (&$pool): void {
    $pool->close();
}), min: 3, max: 5);
var_dump($pool->isClosed());
$pool->close();
var_dump($pool->isClosed());
$pool->close();
var_dump($pool->isClosed());
echo counts($pool);
?>
--EXPECT--
factory(1)
factory(2)
factory(3)
bool(false)
destructor(1)
destructor(2)
destructor(3)
bool(true)
bool(true)
0/0/0
