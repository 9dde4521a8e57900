--TEST--
Pool: with() discards after exceptions that discardOn names, and after those that extend them
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

interface GoneAway extends Throwable
{
}

final class Reset extends Exception implements GoneAway
{
}

$throws = fn(Throwable $error) => fn(): never => throw $error;
$pool = new Pool(
    factory: counter(),
    destructor: hook('destructor'),
    beforeRelease: hook('beforeRelease'),
    discardOn: [LogicException::class, GoneAway::class, 'error'],
);
foreach ([new LogicException('a'), new DomainException('b'), new Reset('c'), new TypeError('d')] as $error) {
    echo thrown(fn() => $pool->with($throws($error)));
    echo counts($pool);
}
echo thrown(fn() => $pool->with($throws(new RuntimeException('e'))));
echo counts($pool);

// what comes of ending it comes before what was thrown
$pool = new Pool(
    factory: counter(),
    destructor: fn() => throw new Exception('destructor'),
    discardOn: [LogicException::class],
);
echo thrown(fn() => $pool->with($throws(new LogicException('first'))));
echo counts($pool);
unset($pool);
echo live(), "\n";
?>
--EXPECT--
factory(1)
destructor(1)
LogicException: a
0/0/0
factory(2)
destructor(2)
DomainException: b
0/0/0
factory(3)
destructor(3)
Reset: c
0/0/0
factory(4)
destructor(4)
TypeError: d
0/0/0
factory(5)
beforeRelease(5)
RuntimeException: e
1/0/1
destructor(5)
factory(1)
Exception: destructor < LogicException: first
0/0/0
0
