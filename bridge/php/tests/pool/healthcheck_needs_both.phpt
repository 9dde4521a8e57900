--TEST--
Pool: no check without a callback and an interval; the first comes after one (B137)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

$checks = 0;
$count = function () use (&$checks): bool {
    $checks++;

    return true;
};
$never = new Pool(factory: fn() => 1, healthcheck: $count, min: 1);
$nothing = new Pool(factory: fn() => 1, min: 1, healthcheckInterval: 1);
$long = new Pool(factory: fn() => 1, healthcheck: $count, min: 1, healthcheckInterval: 60_000);
delay(20);
var_dump($checks);
$soon = new Pool(factory: fn() => 1, healthcheck: $count, min: 1, healthcheckInterval: 1);
var_dump($checks);
while ($checks === 0) {
    delay(1);
}
echo "checked\n";
?>
--EXPECT--
int(0)
int(0)
checked
