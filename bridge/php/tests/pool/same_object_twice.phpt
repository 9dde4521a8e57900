--TEST--
Pool: a factory may make the same object twice; it is two resources (B10, R36)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$shared = new stdClass();
$ended = 0;
$pool = new Pool(factory: fn() => $shared, destructor: function () use (&$ended) {
    $ended++;
}, max: 2);
$a = $pool->acquire();
$b = $pool->acquire();
var_dump($a === $b);
$pool->release($a);
$c = $pool->acquire();
$pool->release($b);
$pool->release($c);
echo thrown(fn() => $pool->release($shared));
echo counts($pool);
$pool->close();
var_dump($ended);
?>
--EXPECT--
bool(true)
Async\PoolException: Resource is not lent by this pool
2/0/2
int(2)
