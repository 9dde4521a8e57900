--TEST--
Pool: what a strategy throws is discarded (B128)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), beforeRelease: fn($r) => $r !== 1, max: 1);
$pool->setCircuitBreakerStrategy(teller(fn() => throw new Error('strategy')));
$pool->release($pool->acquire());
echo counts($pool);
$pool->release($pool->acquire());
echo counts($pool);

$plain = new Pool(factory: counter(), max: 1); // no hook: another path to the report
$plain->setCircuitBreakerStrategy(teller(fn() => throw new Error('strategy')));
$plain->release($plain->acquire());
echo counts($plain);
?>
--EXPECT--
factory(1)
failure: Exception: Resource validation failed
0/0/0
factory(2)
success
1/0/1
factory(1)
success
1/0/1
