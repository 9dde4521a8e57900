--TEST--
Pool: cannot be cloned or serialised (B13)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), destructor: hook('destructor'), min: 1);
echo thrown(fn() => clone $pool);
echo thrown(fn() => serialize($pool));
echo thrown(fn() => unserialize('O:10:"Async\Pool":0:{}'));
echo counts($pool);
unset($pool);
echo live(), "\n";
?>
--EXPECT--
factory(1)
Error: Call to private Async\Pool::__clone() from global scope
Exception: Serialization of 'Async\Pool' is not allowed
Exception: Unserialization of 'Async\Pool' is not allowed
1/0/1
destructor(1)
0
