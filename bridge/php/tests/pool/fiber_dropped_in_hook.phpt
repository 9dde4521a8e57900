--TEST--
Pool: a fiber that is dropped inside a hook gives its place up, and loses nothing (E2, P29)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\suspend;

$pause = function (): bool {
    Fiber::suspend();

    return true;
};
$drop = function (Closure $body) use (&$pool): void {
    $fiber = new Fiber($body);
    $fiber->start();
    echo counts($pool);
    unset($fiber);
    gc_collect_cycles();
    echo counts($pool);
};
$pool = new Pool(factory: $pause, destructor: hook('destructor'), max: 1);
$drop(fn() => $pool->acquire());
$pool = new Pool(factory: counter(), destructor: hook('destructor'), beforeAcquire: $pause, min: 1, max: 1);
$drop(fn() => $pool->acquire());
$pool = new Pool(factory: counter(), destructor: hook('destructor'), beforeRelease: $pause, max: 1);
$drop(fn() => $pool->release($pool->acquire()));
$pool = new Pool(factory: counter(), destructor: $pause, beforeRelease: fn() => false, max: 1);
$drop(fn() => $pool->release($pool->acquire()));
$pool = new Pool(factory: counter(), destructor: hook('destructor'), max: 1);
$pool->setCircuitBreakerStrategy(teller($pause));
$drop(fn() => $pool->release($pool->acquire()));
unset($pool, $drop);
echo live(), "\n";
?>
--EXPECT--
0/1/1
0/0/0
factory(1)
0/1/1
destructor(1)
0/0/0
factory(1)
0/1/1
destructor(1)
0/0/0
factory(1)
0/1/1
0/0/0
factory(1)
success
0/1/1
1/0/1
destructor(1)
0
