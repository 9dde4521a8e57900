--TEST--
Pool: neither it nor what it tells takes properties of the script's own
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), timed: true);
$pool->acquire();
foreach ([$pool, $pool->stats(), $pool->lends()[0]] as $object) {
    echo thrown(function () use ($object): void {
        $object->maxx = 3;
    });
    var_dump(isset($object->maxx));
}
echo thrown(function () use ($pool): void {
    $pool->lends()[0]->ms = 7;
});
?>
--EXPECT--
factory(1)
Error: Cannot create dynamic property Async\Pool::$maxx
bool(false)
Error: Cannot create dynamic property Async\PoolStats::$maxx
bool(false)
Error: Cannot create dynamic property Async\Lend::$maxx
bool(false)
Error: Cannot modify readonly property Async\Lend::$ms
