--TEST--
Pool: creations at the same time are independent of each other (S5)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$calls = 0;
$pool = new Pool(factory: function () use (&$calls) {
    $number = ++$calls;
    delay(10 - $number);

    return $number === 2 ? throw new RuntimeException("factory($number)") : $number;
}, max: 3);
foreach ([1, 2, 3] as $i) {
    $tasks[$i] = spawn(fn() => $pool->acquire());
}
var_dump(await($tasks[1]));
echo thrown(fn() => await($tasks[2]));
var_dump(await($tasks[3]));
echo counts($pool);
?>
--EXPECT--
int(1)
RuntimeException: factory(2)
int(3)
0/2/2
