--TEST--
Pool: beforeAcquire refuses an idle resource: destroyed, the next one or a new one (B34, B58, B62)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$refusals = 1;
$pool = new Pool(
    factory: counter(),
    destructor: hook('destructor'),
    beforeAcquire: hook('beforeAcquire', function () use (&$refusals): bool {
        return $refusals-- <= 0;
    }),
    min: 1,
    max: 5,
);
$pool->setCircuitBreakerStrategy(teller());
$resource = $pool->tryAcquire();
echo "got $resource\n";
$pool->release($resource);
echo 'got ' . $pool->tryAcquire() . "\n";
?>
--EXPECT--
factory(1)
beforeAcquire(1)
destructor(1)
factory(2)
got 2
success
beforeAcquire(2)
got 2
