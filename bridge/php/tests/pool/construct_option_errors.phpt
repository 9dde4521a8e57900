--TEST--
Pool: options out of range, or of no use without another, are ValueErrors, and no hook runs
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$numbers = ['maxLifetime', 'lifetimeJitter', 'idleTimeout', 'maxUses', 'checkAfter', 'leakAfter', 'maxWaiting',
    'createRetry', 'createRetryMax', 'minIdle'];
$make = fn(mixed ...$options) => thrown(fn() => new Pool(counter(), ...$options, min: 1));
foreach ($numbers as $name) {
    echo $make(...[$name => -1]);
}
foreach ($numbers as $name) {
    echo $make(...[$name => 2 ** 32]);
}
echo $make(maxLifetime: 10, lifetimeJitter: 11);
echo $make(lifetimeJitter: 1);
echo $make(checkAfter: 1);
echo $make(onLeak: hook('leak'));
echo $make(createRetryMax: 1);
echo $make(createRetry: 2, createRetryMax: 1);
echo $make(minIdle: 3, max: 2);
echo $make(onLeak: 'no such function', leakAfter: 1);
echo $make(maxLifetime: -1, healthcheckInterval: -1);
echo live(), "\n";

// and all of them at their best
$most = 2 ** 32 - 1;
$pool = new Pool(counter(), min: 1, max: 1, minIdle: 1, maxLifetime: $most, lifetimeJitter: $most, idleTimeout: $most,
    maxUses: $most, checkAfter: $most, beforeAcquire: hook('beforeAcquire'), leakAfter: $most, onLeak: hook('leak'),
    maxWaiting: $most, createRetry: $most, createRetryMax: $most, lifo: true, createBehind: true, timed: true);
$pool->release($pool->acquire());
echo counts($pool);
echo thrown(fn() => $pool->resize(-1, 1));
echo thrown(fn() => $pool->resize(0, 0));
echo thrown(fn() => $pool->resize(2, 1));
echo thrown(fn() => $pool->resize(0, 2 ** 32));
echo thrown(fn() => $pool->drain(-1));
echo thrown(fn() => $pool->setThreshold(-1, 0, 0));
echo thrown(fn() => $pool->setThreshold(0, -1, 0));
echo thrown(fn() => $pool->setThreshold(0, 0, -1));
echo thrown(fn() => $pool->setThreshold(1, 2 ** 32, 0));
echo thrown(fn() => new Async\TryLater(-1));
echo thrown(fn() => new Async\TryLater(2 ** 32));
echo counts($pool);
?>
--EXPECTF--
ValueError: Async\Pool::__construct(): Argument #9 ($maxLifetime) must be >= 0
ValueError: Async\Pool::__construct(): Argument #10 ($lifetimeJitter) must be >= 0
ValueError: Async\Pool::__construct(): Argument #11 ($idleTimeout) must be >= 0
ValueError: Async\Pool::__construct(): Argument #12 ($maxUses) must be >= 0
ValueError: Async\Pool::__construct(): Argument #13 ($checkAfter) must be >= 0
ValueError: Async\Pool::__construct(): Argument #14 ($leakAfter) must be >= 0
ValueError: Async\Pool::__construct(): Argument #16 ($maxWaiting) must be >= 0
ValueError: Async\Pool::__construct(): Argument #17 ($createRetry) must be >= 0
ValueError: Async\Pool::__construct(): Argument #18 ($createRetryMax) must be >= 0
ValueError: Async\Pool::__construct(): Argument #23 ($minIdle) must be >= 0
ValueError: Async\Pool::__construct(): Argument #9 ($maxLifetime) must be <= 4294967295
ValueError: Async\Pool::__construct(): Argument #10 ($lifetimeJitter) must be <= 4294967295
ValueError: Async\Pool::__construct(): Argument #11 ($idleTimeout) must be <= 4294967295
ValueError: Async\Pool::__construct(): Argument #12 ($maxUses) must be <= 4294967295
ValueError: Async\Pool::__construct(): Argument #13 ($checkAfter) must be <= 4294967295
ValueError: Async\Pool::__construct(): Argument #14 ($leakAfter) must be <= 4294967295
ValueError: Async\Pool::__construct(): Argument #16 ($maxWaiting) must be <= 4294967295
ValueError: Async\Pool::__construct(): Argument #17 ($createRetry) must be <= 4294967295
ValueError: Async\Pool::__construct(): Argument #18 ($createRetryMax) must be <= 4294967295
ValueError: Async\Pool::__construct(): Argument #23 ($minIdle) must be <= 4294967295
ValueError: Async\Pool::__construct(): Argument #10 ($lifetimeJitter) must be <= maxLifetime
ValueError: Async\Pool::__construct(): Argument #10 ($lifetimeJitter) must be <= maxLifetime
ValueError: Async\Pool::__construct(): Argument #13 ($checkAfter) must be 0 without beforeAcquire
ValueError: Async\Pool::__construct(): Argument #14 ($leakAfter) must be >= 1 with onLeak
ValueError: Async\Pool::__construct(): Argument #18 ($createRetryMax) must be 0 without createRetry
ValueError: Async\Pool::__construct(): Argument #18 ($createRetryMax) must be >= createRetry
ValueError: Async\Pool::__construct(): Argument #23 ($minIdle) must be <= max
TypeError: Async\Pool::__construct(): Argument #15 ($onLeak) must be of type ?callable, string given%S
ValueError: Async\Pool::__construct(): Argument #8 ($healthcheckInterval) must be >= 0
0
factory(1)
1/0/1
ValueError: Async\Pool::resize(): Argument #1 ($min) must be >= 0
ValueError: Async\Pool::resize(): Argument #2 ($max) must be >= 1
ValueError: Async\Pool::resize(): Argument #1 ($min) must be <= max
ValueError: Async\Pool::resize(): Argument #2 ($max) must be <= 4294967295
ValueError: Async\Pool::drain(): Argument #1 ($timeout) must be >= 0
ValueError: Async\Pool::setThreshold(): Argument #1 ($failures) must be >= 0
ValueError: Async\Pool::setThreshold(): Argument #2 ($openMs) must be >= 0
ValueError: Async\Pool::setThreshold(): Argument #3 ($successes) must be >= 0
ValueError: Async\Pool::setThreshold(): Argument #2 ($openMs) must be <= 4294967295
ValueError: Async\TryLater::__construct(): Argument #1 ($ms) must be >= 0
ValueError: Async\TryLater::__construct(): Argument #1 ($ms) must be <= 4294967295
1/0/1
