--TEST--
Another extension: PHP is not handed what it cannot hold, and nothing is taken before that is said (P34)
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/ext.inc';

$pool = FakeDb\pool(1);
FakeDb\connect($pool); // one is idle now
echo thrown(fn() => $pool->acquire());
echo thrown(fn() => $pool->acquire(timeout: 1));
echo thrown(fn() => $pool->tryAcquire());
echo thrown(fn() => $pool->release(1));
echo thrown(fn() => $pool->setCircuitBreakerStrategy(teller()));
echo thrown(fn() => $pool->__construct(factory: fn() => 1));
echo counts($pool), FakeDb\opened(), "\n";
$pool->deactivate();
echo $pool->getState()->name, ' ', thrown(fn() => FakeDb\connect($pool));
$pool->activate();
echo FakeDb\connect($pool)->query('fine'), "\n";
unset($pool);
echo live(), "\n";
?>
--EXPECT--
Async\PoolException: Pool lends what PHP cannot hold: only the extension that made it can lend it
Async\PoolException: Pool lends what PHP cannot hold: only the extension that made it can lend it
Async\PoolException: Pool lends what PHP cannot hold: only the extension that made it can lend it
Async\PoolException: Pool lends what PHP cannot hold: only the extension that made it can lend it
Async\PoolException: Only a pool made in PHP can have a strategy in PHP
Async\PoolException: Pool is already initialized
1/0/1
1
INACTIVE Error: FakeDb: the service is unavailable: the circuit breaker is open
1: fine
0
