--TEST--
Pool: lends() tells of no resource that the collector has taken away meanwhile
--FILE--
<?php
require __DIR__ . '/disturb.inc';

use Async\Pool;

$came = $empty = 0;
for ($k = 1; $k < 40; $k++) {
    $pool = new Pool(factory: fn() => new Resource(), max: 4, timed: true);
    $lent = [$pool->acquire(), $pool->acquire(), $pool->acquire(), $pool->acquire()];
    $discard = function () use ($pool, &$lent): void {
        array_map($pool->discard(...), $lent);
        $lent = [];
    };
    $came += (int) by_collector($k, $discard, function () use ($pool, &$empty): void {
        foreach ($pool->lends() as $lend) {
            $empty += (int) !$lend->resource instanceof Resource;
        }
    });
}
// In the extension there is no place for it.
var_dump($came > 0 || extension_loaded('asyncpool'), $empty);
unset($pool, $lent, $discard);
echo live(), "\n";
?>
--EXPECT--
bool(true)
int(0)
0
