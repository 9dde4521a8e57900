--TEST--
Pool: count() of the language is idle and lent together (B09)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), min: 2, max: 5);
var_dump($pool instanceof Countable, count($pool));
$resource = $pool->tryAcquire();
var_dump(count($pool));
$pool->release($resource);
var_dump(count($pool));
?>
--EXPECT--
factory(1)
factory(2)
bool(true)
int(2)
int(2)
int(2)
