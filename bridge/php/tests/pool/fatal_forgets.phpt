--TEST--
Pool: after a fatal error the library keeps no pool, whatever is lent, waits or is in a hook: PHP destructs nothing then (P27)
--SKIPIF--
<?php if (extension_loaded('asyncpool')) die('skip with the extension: the pool goes when its object is freed'); ?>
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Internal\Library;
use Async\Pool;

use function Async\spawn;
use function Async\suspend;

$make = fn(callable $factory) => new Pool($factory, hook('destructor'), beforeRelease: hook('beforeRelease'), min: 1, max: 2);
$pool = $make(counter());
$held = [$pool->acquire(), $pool->acquire()];
$idle = $make(fn() => 'idle');
$fails = $make(function () use (&$fails): string {
    return $fails === null ? 'first' : trigger_error('the end', E_USER_ERROR);
});
$fiber = new Fiber(fn() => $pool->acquire());
$fiber->start();
spawn(fn() => $pool->acquire());
spawn(function () use ($make): void {
    $local = $make(fn() => Fiber::suspend() ?? 'local');
    $local->acquire();
});
spawn(fn() => $fails->acquire() . $fails->acquire());
register_shutdown_function(function () use ($pool): void {
    echo counts($pool), Library::ffi()->pool_debug_live() > 0 ? "some are there\n" : "none is\n";
    register_shutdown_function(function () use ($pool): void {
        echo counts($pool), thrown(fn() => $pool->acquire()), Library::ffi()->pool_debug_live(), "\n";
    });
});
suspend();
?>
--EXPECTF--
factory(1)
factory(2)

Fatal error: the end in %s on line %d
0/2/2
some are there
0/0/0
Async\PoolException: Pool is closed
0
