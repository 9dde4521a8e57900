--TEST--
Pool: a sweep makes up for min, and only for that; a failing factory is tried again (B22, B141)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

$calls = 0;
$pool = new Pool(
    factory: function () use (&$calls) {
        return match (++$calls) {
            3, 4 => throw new RuntimeException('down'),
            default => $calls,
        };
    },
    healthcheck: fn($r) => $r > 2,
    min: 2,
    max: 4,
    healthcheckInterval: 2,
);
while ($calls < 6) {
    delay(1);
}
delay(10);
echo counts($pool);
var_dump($calls);
?>
--EXPECT--
2/0/2
int(6)
