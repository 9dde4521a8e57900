--TEST--
Pool: equal resources are as many resources, and each is released once (B10, B53, R36)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: fn() => 'same', max: 3);
$mixed = new Pool(factory: fn() => ['a' => 1], max: 2);
$a = $pool->acquire();
$b = $pool->acquire();
echo counts($pool);
$pool->release($a);
echo counts($pool);
$pool->release($b);
echo counts($pool);
echo thrown(fn() => $pool->release('same'));
echo counts($pool);

$c = $mixed->acquire();
$d = $mixed->acquire();
$mixed->release(['a' => 1]);
echo thrown(fn() => $mixed->release(['b' => 1]));
$mixed->release($d);
echo counts($mixed);
$mixed->close();
echo counts($mixed);
?>
--EXPECT--
0/2/2
1/1/2
2/0/2
Async\PoolException: Resource is not lent by this pool
2/0/2
Async\PoolException: Resource is not lent by this pool
2/0/2
0/0/0
