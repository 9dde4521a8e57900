--TEST--
Pool: an array with references in it is found by what it is identical to at the time (B10)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$shared = 'first';
$kinds = [
    function () use (&$shared): array {
        return ['in' => [&$shared], 'n' => 1];
    },
    fn() => ['in' => ['second'], 'n' => 1],
];
$pool = new Pool(factory: function () use (&$kinds): array {
    return array_shift($kinds)();
}, max: 2);
$with = $pool->acquire();
$without = $pool->acquire();
$shared = 'changed';
echo thrown(fn() => $pool->release(['in' => ['first'], 'n' => 1]));
$pool->release(['in' => ['changed'], 'n' => 1]); // another array, identical now
echo counts($pool);
$again = $pool->acquire();
$shared = 'second'; // and now like the other one
$pool->release($without);
$pool->release($again);
echo thrown(fn() => $pool->release($with));
echo counts($pool);
$one = $pool->acquire();
$pool->release(['in' => ['second'], 'n' => 1]);
echo counts($pool);
?>
--EXPECT--
Async\PoolException: Resource is not lent by this pool
1/1/2
Async\PoolException: Resource is not lent by this pool
2/0/2
2/0/2
