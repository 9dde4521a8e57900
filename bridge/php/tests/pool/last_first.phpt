--TEST--
Pool: what was lent last is mostly given back first, once, and as what it is
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$inner = 1;
$values = [
    'an object' => new stdClass(),
    'a string' => str_repeat('x', 3),
    'a constant string' => 'xyz',
    'an array' => [1, new stdClass()],
    'a constant array' => ['a', 'b'],
    'no values' => [],
    'an array with a reference' => ['in' => &$inner],
    'a number' => 7,
    'zero' => 0,
    'a fraction' => 0.5,
    'no number' => NAN,
    'true' => true,
    'false' => false,
    'a stream' => fopen('php://memory', 'r'),
];
foreach ($values as $what => $value) {
    $pool = new Pool(factory: fn() => $value, max: 2);
    $refuses = fn(mixed $resource): bool => str_contains(thrown(fn() => $pool->release($resource)), 'not lent');
    $first = $pool->acquire();
    $pool->release($first);
    $twice = $refuses($first);
    $again = $pool->tryAcquire();
    $second = $pool->acquire(); // identical, and another resource
    $other = is_int($value) ? (float) $value : 'other';
    $wrong = $refuses($other);
    $pool->release($again);
    $pool->release($second);
    $once = $refuses($second);
    $taken = $pool->acquire();
    $copy = $taken;
    if (is_array($copy)) {
        $copy[] = 'more';
        $wrong = $wrong && $refuses($copy);
    }
    $pool->discard($taken);
    $gone = $refuses($taken);
    $pool->acquire();
    echo $what, ': ', json_encode([$twice, $wrong, $once, $gone]), ' ', counts($pool);
    $pool->release($value);
}

echo "equal, and not the same\n";
$pool = new Pool(factory: fn() => (object) ['a' => 1], max: 2);
[$one, $two] = [$pool->acquire(), $pool->acquire()];
echo thrown(fn() => $pool->release(clone $two));
$pool->release($two);
echo thrown(fn() => $pool->release($two));
$pool->release($one);
var_dump($pool->acquire() === $two);

echo "given back by another way in between\n";
$pool = new Pool(factory: fn() => new stdClass(), max: 1);
$lent = $pool->acquire();
$pool->detach($lent);
echo thrown(fn() => $pool->release($lent));
$weak = WeakReference::create($lent);
unset($lent);
var_dump($weak->get());
$next = $pool->acquire(); // perhaps where the other one was
$pool->release($next);
echo counts($pool);

echo "of a pool that closes, and is gone\n";
$pool = new Pool(factory: fn() => new stdClass(), destructor: hook('destructor'), max: 2);
[$one, $two] = [$pool->acquire(), $pool->acquire()];
$pool->close();
$pool->release($two);
echo thrown(fn() => $pool->release($two));
$pool->__destruct();
$pool->release($one);
echo thrown(fn() => $pool->release($one));
?>
--EXPECT--
an object: [true,true,true,true] 0/1/1
a string: [true,true,true,true] 0/1/1
a constant string: [true,true,true,true] 0/1/1
an array: [true,true,true,true] 0/1/1
a constant array: [true,true,true,true] 0/1/1
no values: [true,true,true,true] 0/1/1
an array with a reference: [true,true,true,true] 0/1/1
a number: [true,true,true,true] 0/1/1
zero: [true,true,true,true] 0/1/1
a fraction: [true,true,true,true] 0/1/1
no number: [true,true,true,true] 0/1/1
true: [true,true,true,true] 0/1/1
false: [true,true,true,true] 0/1/1
a stream: [true,true,true,true] 0/1/1
equal, and not the same
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Resource is not lent by this pool
bool(true)
given back by another way in between
Async\PoolException: Resource is not lent by this pool
NULL
1/0/1
of a pool that closes, and is gone
destructor(stdClass)
Async\PoolException: Resource is not lent by this pool
destructor(stdClass)
Async\PoolException: Resource is not lent by this pool
