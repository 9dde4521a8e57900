--TEST--
Pool: values that are alike but not identical are told apart, and identical ones are counted (B10)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

/** A pool that has lent all of these. */
$lent = function (mixed ...$values) use (&$pool): void {
    $pool = new Pool(factory: function () use (&$values): mixed {
        return array_shift($values);
    }, destructor: fn($r) => print('destructor(' . strtr(var_export($r, true), ["\n" => '', '  ' => ' ']) . ")\n"), max: 10);
    for ($count = count($values); $count > 0; $count--) {
        $pool->acquire();
    }
};
$lent(3, true, [1, 2, 3], '3', 3.0, false, 2); // a number, a type's number and a length may be the same key
foreach ([1, 0.0, [3, 2, 1], [1, 2], 'true', 4] as $other) {
    echo thrown(fn() => $pool->release($other));
}
foreach ([[1, 2, 3], 2, 3.0, true, '3', false, 3] as $value) {
    $pool->release($value);
}
echo counts($pool);
$pool->close();

$lent(NAN, NAN, -0.0);
$pool->release(0.0);
$pool->release(NAN);
$pool->release(-NAN);
echo thrown(fn() => $pool->release(NAN));
echo counts($pool);

$lent([1], [2], [3], [4]);
$pool->close(); // what is released is destroyed now
foreach ([[3], [4], [1], [2]] as $value) {
    $pool->release($value);
    echo thrown(fn() => $pool->release($value));
}
unset($lent);
$pool = null;
echo live(), "\n";
?>
--EXPECT--
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
7/0/7
destructor(array ( 0 => 1, 1 => 2, 2 => 3,))
destructor(2)
destructor(3.0)
destructor(true)
destructor('3')
destructor(false)
destructor(3)
Async\PoolException: Resource is not lent by this pool
3/0/3
destructor(-0.0)
destructor(NAN)
destructor(NAN)
destructor(array ( 0 => 3,))
Async\PoolException: Resource is not lent by this pool
destructor(array ( 0 => 4,))
Async\PoolException: Resource is not lent by this pool
destructor(array ( 0 => 1,))
Async\PoolException: Resource is not lent by this pool
destructor(array ( 0 => 2,))
Async\PoolException: Resource is not lent by this pool
0
