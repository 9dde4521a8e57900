--TEST--
Pool: a periodic check removes what is not healthy, and min is made up for (B135, B136)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

$checked = [];
$pool = new Pool(
    factory: counter(),
    destructor: hook('destructor'),
    healthcheck: function ($r) use (&$checked) {
        $checked[$r] = true;

        return match ($r) {
            1 => false,
            2 => throw new RuntimeException('not well'),
            default => true,
        };
    },
    min: 2,
    max: 4,
    healthcheckInterval: 5,
);
while (count($checked) < 4) {
    delay(1);
}
echo counts($pool);
$pool->close();
?>
--EXPECT--
factory(1)
factory(2)
destructor(1)
factory(3)
destructor(2)
factory(4)
2/0/2
destructor(3)
destructor(4)
