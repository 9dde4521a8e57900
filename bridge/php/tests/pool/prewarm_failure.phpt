--TEST--
Pool: the factory's exception leaves the constructor, what was made is destroyed (B19, B20)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$made = 0;
$failure = new RuntimeException('no more');
try {
    new Pool(factory: function () use (&$made, $failure) {
        echo 'factory(', ++$made, ")\n";

        return $made < 3 ? $made : throw $failure;
    }, destructor: hook('destructor'), min: 5, max: 5);
} catch (RuntimeException $caught) {
    var_dump($caught === $failure, $caught->getPrevious());
}
echo thrown(fn() => new Pool(
    factory: function () use (&$made) {
        return $made++ < 4 ? $made : throw new RuntimeException('failed');
    },
    destructor: fn() => throw new LogicException('destructor too'),
    min: 5,
));
echo live(), "\n";
?>
--EXPECT--
factory(1)
factory(2)
factory(3)
destructor(1)
destructor(2)
bool(true)
NULL
RuntimeException: failed < LogicException: destructor too
0
