--TEST--
Pool: a strategy hears nothing of healthchecks (B148)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

$checks = 0;
$pool = new Pool(factory: fn() => 1, healthcheck: function () use (&$checks): bool {
    return ++$checks % 2 === 0;
}, min: 1, healthcheckInterval: 1);
$pool->setCircuitBreakerStrategy(teller());
while ($checks < 4) {
    delay(1);
}
echo "done\n";
?>
--EXPECT--
done
