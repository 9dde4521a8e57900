--TEST--
Pool: closed during a check, good or bad: destroyed once, nothing made anew (B115, B143, B147, S4)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

foreach ([true, false] as $healthy) {
    $in = false;
    $pool = new Pool(
        factory: counter(),
        destructor: hook('destructor'),
        healthcheck: function () use (&$in, $healthy): bool {
            echo "check\n";
            $in = true;
            delay(3);

            return $healthy;
        },
        min: 1,
        healthcheckInterval: 1,
    );
    while (!$in) {
        delay(1);
    }
    $pool->close();
    echo counts($pool);
    delay(10);
    echo counts($pool);
}
?>
--EXPECT--
factory(1)
check
0/1/1
destructor(1)
0/0/0
factory(1)
check
0/1/1
destructor(1)
0/0/0
