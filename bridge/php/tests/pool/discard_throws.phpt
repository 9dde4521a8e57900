--TEST--
Pool: what a destructor throws reaches who discards, and its place is free
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(
    factory: counter(),
    destructor: fn(int $resource) => throw new LogicException("destructor of $resource"),
    max: 1,
);
$resource = $pool->acquire();
echo thrown(fn() => $pool->discard($resource));
echo counts($pool);
$pool->detach($pool->acquire()); // no destructor
echo counts($pool);
unset($pool);
echo live(), "\n";
?>
--EXPECT--
factory(1)
LogicException: destructor of 1
0/0/0
factory(2)
0/0/0
0
