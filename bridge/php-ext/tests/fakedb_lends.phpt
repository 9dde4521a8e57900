--TEST--
Another extension: a pool of C functions lends to PHP code, and takes back what PHP lets go (P34)
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/ext.inc';

$pool = FakeDb\pool(2);
echo $pool::class, ' ', counts($pool);
$first = FakeDb\connect($pool);
$second = FakeDb\connect($pool);
echo $first->query('SELECT 1'), ', ', $second->query('SELECT 2'), "\n";
echo counts($pool);
echo thrown(fn() => FakeDb\connect($pool, 1));
unset($first);
echo counts($pool);
$second->query('BREAK'); // before_release refuses it
unset($second);
echo counts($pool), FakeDb\opened(), "\n";
echo FakeDb\connect($pool)->query('SELECT 3'), "\n";
var_dump(FakeDb\same($pool)); // POOL_NEW_OBJ() answers the object that there is
$pool->close();
echo counts($pool), FakeDb\opened(), "\n";
$held = FakeDb\pool(1);
$last = FakeDb\connect($held);
unset($held, $pool); // PHP's objects first, what is lent after them
echo $last->query('SELECT 4'), "\n";
unset($last);
$left = live();
echo FakeDb\opened(), " $left\n";
?>
--EXPECT--
Async\Pool 0/0/0
1: SELECT 1, 2: SELECT 2
0/2/2
Error: FakeDb: timed out waiting for a resource
1/1/2
1/0/1
1
1: SELECT 3
bool(true)
0/0/0
0
3: SELECT 4
0 0
