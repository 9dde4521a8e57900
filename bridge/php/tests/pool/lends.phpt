--TEST--
Pool: lends() tells who has what, and since when if that is noted
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Lend;
use Async\Pool;
use function Async\await;
use function Async\current_coroutine;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

/** @return array<int, Lend> by resource */
function lends(Pool $pool): array
{
    $lends = array_column($pool->lends(), null, 'resource');
    ksort($lends);

    return $lends;
}

$pool = new Pool(counter(), max: 3, timed: true);
var_dump($pool->lends());
$mine = $pool->acquire(); $here = __LINE__;
$task = spawn(function () use ($pool, &$there): int {
    $resource = $pool->tryAcquire(); $there = __LINE__;
    suspend();

    return $resource;
});
suspend();
$pool->with(function (int $resource) use ($pool, $mine, $task, $here, $there): void {
    $lends = lends($pool);
    echo implode(' ', array_keys($lends)), "\n";
    var_dump($lends[$mine]->place === __FILE__ . ":$here", $lends[2]->place === __FILE__ . ":$there");
    var_dump(str_starts_with($lends[$resource]->place, __FILE__));
    var_dump($lends[$mine]->coroutine === current_coroutine()->getId(), $lends[2]->coroutine === $task->getId());
    var_dump($lends[$mine]->uses);
});
$pool->release(await($task));
while (lends($pool)[$mine]->ms < 2) {
    delay(1);
}
echo implode(' ', array_keys(lends($pool))), "\n";

// who has waited in line, and what comes back and goes again
$pool->resize(0, 1);
$pool->evict();
$task = spawn(fn() => $pool->acquire());
suspend();
$pool->release($mine);
$other = await($task);
echo implode(' ', array_keys(lends($pool))), "\n";
var_dump(lends($pool)[$other]->coroutine === $task->getId(), lends($pool)[$other]->uses);
$fiber = new Fiber(function () use ($pool): void {
    $resource = $pool->acquire();
    var_dump(lends($pool)[$resource]->coroutine);
    $pool->release($resource);
});
$pool->release($other);
$fiber->start();

// nothing is noted where nobody wants it
$plain = new Pool(fn() => new stdClass());
$resource = $plain->acquire();
[$lend] = $plain->lends();
var_dump($lend->resource === $resource, $lend->ms, $lend->uses, $lend->place, $lend->coroutine);
echo thrown(function () use ($lend) { $lend->ms = 1; });
$plain->close();
var_dump(count($plain->lends()));
$plain->__destruct();
var_dump($plain->lends());
?>
--EXPECT--
array(0) {
}
factory(1)
factory(2)
factory(3)
1 2 3
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
int(1)
1
factory(4)
4
bool(true)
int(1)
NULL
bool(true)
int(0)
int(0)
NULL
NULL
Error: Cannot modify readonly property Async\Lend::$ms
int(1)
array(0) {
}
