--TEST--
Pool: the breaker gates acquire and tryAcquire, nothing else (B132)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

$pool = new Pool(
    factory: counter(),
    destructor: hook('destructor'),
    healthcheck: fn($r) => $r !== 1,
    min: 1,
    max: 2,
    healthcheckInterval: 1,
);
$pool->deactivate();
while ($pool->count() !== 1 || !isset($seen)) {
    $seen = $pool->idleCount();
    delay(1);
}
delay(5);
$pool->close();
?>
--EXPECT--
factory(1)
destructor(1)
factory(2)
destructor(2)
