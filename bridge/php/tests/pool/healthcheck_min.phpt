--TEST--
Pool: what a check ends is made up for below min only (B140)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

$checked = 0;
$pool = new Pool(
    factory: counter(),
    destructor: hook('destructor'),
    healthcheck: function (int $resource) use (&$checked): bool {
        $checked++;

        return $resource > 2;
    },
    min: 2,
    max: 5,
    healthcheckInterval: 5,
);
$held = [$pool->acquire(), $pool->acquire(), $pool->acquire()];
array_map($pool->release(...), $held);
echo counts($pool);
while ($checked < 7) { // three in the first pass, two in each that follows
    delay(1);
}
echo counts($pool);
$pool->close(); // 4 was made before 3 had been checked
?>
--EXPECT--
factory(1)
factory(2)
factory(3)
3/0/3
destructor(1)
destructor(2)
factory(4)
2/0/2
destructor(4)
destructor(3)
