--TEST--
Pool: what is lent for longer than leakAfter is told to onLeak once, and counted, and stays lent
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Lend;
use Async\Pool;
use function Async\delay;

$told = [];
$pool = new Pool(
    factory: fn() => new ArrayObject(),
    max: 2,
    leakAfter: 1,
    healthcheckInterval: 1,
    onLeak: function (Lend $lend) use (&$told): void {
        $told[] = $lend;
        delay(1);
        throw new Exception('nobody hears of it');
    },
);
$kept = $pool->acquire(); $here = __LINE__;
while ($told === []) {
    delay(1);
}
var_dump($told[0]->resource === $kept, $told[0]->place === __FILE__ . ":$here", $told[0]->ms >= 1);
for ($passes = 0; $passes < 5; $passes++) {
    delay(2);
}
var_dump(count($told), $pool->stats()->leaked, $pool->activeCount());
$pool->release($kept);
$kept = $pool->acquire(); // another lend
while (count($told) < 2) {
    delay(1);
}
$pool->close(); // has no passes
var_dump($pool->stats()->leaked);
$told = [];
unset($pool, $kept);

// counted without onLeak, too, at the latest by a pass of its own
$pool = new Pool(factory: fn() => 1, leakAfter: 1);
$kept = $pool->acquire();
while ($pool->stats()->leaked === 0) {
    delay(10);
}
$pool->close();
unset($pool);
echo live(), "\n";
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
int(1)
int(1)
int(1)
int(2)
0
