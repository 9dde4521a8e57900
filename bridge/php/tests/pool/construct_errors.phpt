--TEST--
Pool: sizes out of range are ValueErrors, the first fault is named, no hook runs (B03 to B08, B43, R32, R56)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

function make(int $min, int $max, int $interval): string
{
    return thrown(fn() => new Pool(counter(), min: $min, max: $max, healthcheckInterval: $interval));
}

echo make(-1, 10, 0);
echo make(0, 0, 0);
echo make(10, 5, 0);
echo make(0, 1, -1);
echo make(-1, 0, -1);
echo make(0, 0, -1);
echo make(2, 1, -1);
echo make(0, 2 ** 32, 0);
echo make(0, 1, 2 ** 32);
echo thrown(fn() => new Pool('no such function'));
$pool = new Pool(counter(), max: 2 ** 32 - 1);
echo thrown(fn() => $pool->acquire(-1));
echo live(), "\n";
?>
--EXPECTF--
ValueError: Async\Pool::__construct(): Argument #6 ($min) must be >= 0
ValueError: Async\Pool::__construct(): Argument #7 ($max) must be >= 1
ValueError: Async\Pool::__construct(): Argument #6 ($min) must be <= max
ValueError: Async\Pool::__construct(): Argument #8 ($healthcheckInterval) must be >= 0
ValueError: Async\Pool::__construct(): Argument #6 ($min) must be >= 0
ValueError: Async\Pool::__construct(): Argument #7 ($max) must be >= 1
ValueError: Async\Pool::__construct(): Argument #6 ($min) must be <= max
ValueError: Async\Pool::__construct(): Argument #7 ($max) must be <= 4294967295
ValueError: Async\Pool::__construct(): Argument #8 ($healthcheckInterval) must be <= 4294967295
TypeError: Async\Pool::__construct(): Argument #1 ($factory) must be of type callable, string given%S
ValueError: Async\Pool::acquire(): Argument #1 ($timeout) must be >= 0
1
