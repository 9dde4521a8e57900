--TEST--
Pool: tryAcquire() makes on demand up to max, then answers null (B25, B26)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), max: 2);
echo counts($pool);
$a = $pool->tryAcquire();
echo counts($pool);
$b = $pool->tryAcquire();
echo counts($pool);
var_dump($a, $b, $pool->tryAcquire());
$pool->release($a);
echo counts($pool);
var_dump($pool->tryAcquire());
echo counts($pool);
?>
--EXPECT--
0/0/0
factory(1)
0/1/1
factory(2)
0/2/2
int(1)
int(2)
NULL
1/1/2
int(1)
0/2/2
