--TEST--
Pool: there is one behind an object; who calls the private __clone() by reflection copies nothing (B13)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), min: 1);
echo thrown(fn() => clone $pool);
(new ReflectionMethod(Pool::class, '__clone'))->invoke($pool);
echo counts($pool), live(), "\n";
?>
--EXPECT--
factory(1)
Error: Call to private Async\Pool::__clone() from global scope
1/0/1
1
