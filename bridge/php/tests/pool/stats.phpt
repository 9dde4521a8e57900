--TEST--
Pool: stats() counts what has happened, all of one instant
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use Async\PoolStats;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$fails = false;
$pool = new Pool(
    factory: function () use (&$fails): stdClass { return $fails ? throw new Exception('no') : new stdClass(); },
    beforeRelease: fn(stdClass $resource) => !isset($resource->broken),
    max: 2,
    timed: true,
);
$a = $pool->acquire();
$b = $pool->acquire();
thrown(fn() => $pool->acquire(1));
$task = spawn(fn() => $pool->acquire());
suspend();
$pool->release($a);
$c = await($task);
$b->broken = true;
$pool->release($b);
$pool->discard($c);
$fails = true;
thrown(fn() => $pool->acquire());
$fails = false;
$pool->detach($pool->acquire());
$cancelled = [$pool->acquire(), $pool->acquire(), $task = spawn($pool->acquire(...))];
suspend();
$task->cancel();
thrown(fn() => await($task));

$stats = $pool->stats();
foreach ((array) $stats as $name => $value) {
    if (is_array($value)) {
        echo "$name: ", count($value), ' buckets, sum ', array_sum($value), "\n";
    } elseif (str_ends_with($name, 'Us')) {
        echo "$name: ", get_debug_type($value), "\n";
    } elseif ($value !== 0) {
        echo "$name: $value\n";
    }
}
var_dump($stats->created === $stats->destroyed + $stats->detached + $stats->count);
echo thrown(function () use ($stats) { $stats->lends = 1; });
echo (new PoolStats(['lends' => 3]))->lends, "\n"; // for the tests of others
$pool->close();
var_dump($pool->stats()->destroyedClosed, $pool->stats() == $pool->stats());
$pool->__destruct();
echo thrown(fn() => $pool->stats());
?>
--EXPECT--
lends: 6
waited: 1
timeouts: 1
cancelled: 1
created: 5
failed: 1
detached: 1
destroyed: 2
count: 2
destroyedRefused: 1
destroyedDiscarded: 1
peakActive: 2
peakWaiting: 1
waitUs: int
createUs: int
holdUs: int
waitHistogram: 32 buckets, sum 1
createHistogram: 32 buckets, sum 5
holdHistogram: 32 buckets, sum 4
bool(true)
Error: Cannot modify readonly property Async\PoolStats::$lends
3
int(0)
bool(true)
Async\PoolException: Pool is closed
