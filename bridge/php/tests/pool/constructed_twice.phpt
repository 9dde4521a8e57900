--TEST--
Pool: a second construction is refused and changes nothing (R47)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), min: 1, max: 2);
echo thrown(fn() => $pool->__construct(factory: fn() => print("another\n"), min: 2, max: 3));
echo counts($pool);
var_dump($pool->acquire(), $pool->acquire(), $pool->tryAcquire());
?>
--EXPECT--
factory(1)
Async\PoolException: Pool is already initialized
1/0/1
factory(2)
int(1)
int(2)
NULL
