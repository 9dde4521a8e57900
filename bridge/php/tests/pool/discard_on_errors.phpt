--TEST--
Pool: discardOn takes names of exceptions, and nothing else
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

function make(array $discardOn): string
{
    return thrown(fn() => new Pool(counter(), min: 1, discardOn: $discardOn));
}

spl_autoload_register(function (string $class): void {
    if ($class === 'Lazy') {
        echo "loaded\n";
        eval('class Lazy extends Exception {}');
    } elseif ($class === 'Bad') {
        throw new LogicException('no such file');
    }
});
echo make(['NoSuchClass']);
echo make([Exception::class, stdClass::class]);
echo make([3]);
echo make([null]);
echo make(['Bad']);
echo make(['x' => 'Lazy', 'y' => Countable::class]);
echo make([]);
echo thrown(fn() => new Pool(counter(), min: -1, discardOn: ['NoSuchClass']));
?>
--EXPECT--
ValueError: Async\Pool::__construct(): Argument #22 ($discardOn) must be a list of classes of exceptions, NoSuchClass given
ValueError: Async\Pool::__construct(): Argument #22 ($discardOn) must be a list of classes of exceptions, stdClass given
ValueError: Async\Pool::__construct(): Argument #22 ($discardOn) must be a list of classes of exceptions, int given
ValueError: Async\Pool::__construct(): Argument #22 ($discardOn) must be a list of classes of exceptions, null given
LogicException: no such file
loaded
factory(1)
nothing thrown
factory(1)
nothing thrown
ValueError: Async\Pool::__construct(): Argument #6 ($min) must be >= 0
