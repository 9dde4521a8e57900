--TEST--
Pool: a factory that answers null fails, since tryAcquire() could not tell (B15, B21, B40)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$answers = [null, null, 'good'];
$pool = new Pool(factory: function () use (&$answers) {
    return array_shift($answers);
}, max: 1);
echo thrown(fn() => $pool->tryAcquire());
echo thrown(fn() => $pool->acquire());
echo counts($pool);
var_dump($pool->acquire());
echo thrown(fn() => new Pool(factory: fn() => null, min: 1));
?>
--EXPECT--
Async\PoolException: Failed to create pool resource
Async\PoolException: Failed to create pool resource
0/0/0
string(4) "good"
Async\PoolException: Failed to create pool resource
