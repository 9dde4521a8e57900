--TEST--
The extension: a coroutine that waits in line costs at most 1 KB beside its fiber
--FILE--
<?php
use Async\Pool;
use function Async\spawn;
use function Async\suspend;

const COUNT = 500;

/** Bytes for each of so many that $begin has begun. */
function cost(Closure $begin): float
{
    $all = array_fill(0, COUNT, null);
    $before = memory_get_usage();
    for ($i = 0; $i < COUNT; $i++) {
        $all[$i] = $begin();
    }
    suspend();

    return (memory_get_usage() - $before) / COUNT;
}

$pool = new Pool(factory: fn() => 'the only one', max: 1);
$held = $pool->acquire();
$fiber = function () use ($pool): Fiber {
    $fiber = new Fiber(function () use ($pool): void {
        Fiber::suspend();
    });
    $fiber->start();

    return $fiber;
};
$wait = fn() => spawn(function () use ($pool): void {
    try {
        $pool->acquire();
    } catch (Async\PoolException) { // closed
    }
});
suspend();
$raw = cost($fiber);
$waiting = cost($wait);
var_dump($raw > 16_000, $waiting - $raw <= 1024);
$waiting - $raw <= 1024 || var_dump($waiting - $raw);
$pool->close();
?>
--EXPECT--
bool(true)
bool(true)
