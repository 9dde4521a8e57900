--TEST--
Pool: onLeak is told of no resource that the collector has taken away meanwhile
--FILE--
<?php
require __DIR__ . '/disturb.inc';

use Async\Lend;
use Async\Pool;
use function Async\delay;

$came = $all = $empty = 0;
for ($k = 1; $k < 60; $k++) {
    $told = 0;
    $pool = new Pool(
        factory: fn() => new Resource(),
        max: 4,
        leakAfter: 1,
        healthcheckInterval: 1,
        onLeak: function (Lend $lend) use (&$told, &$empty): void {
            $told++;
            $empty += (int) !$lend->resource instanceof Resource;
        },
    );
    $lent = [$pool->acquire(), $pool->acquire(), $pool->acquire(), $pool->acquire()];
    while ($pool->lends()[3]->ms < 10) { // so it has leaked before the first pass
    }
    $discard = function () use ($pool, &$lent): void {
        array_map($pool->discard(...), $lent);
        $lent = [];
    };
    $came += (int) by_collector($k, $discard, function () use (&$lent, &$told): void {
        while ($lent !== [] && $told === 0) {
            delay(1);
        }
    });
    $all += $told;
    $pool->close();
}
// In the extension there is no place for it.
var_dump($came > 0 || extension_loaded('asyncpool'), $all > 0, $empty);
unset($pool, $lent, $discard);
echo live(), "\n";
?>
--EXPECT--
bool(true)
bool(true)
int(0)
0
