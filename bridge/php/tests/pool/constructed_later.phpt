--TEST--
Pool: whoever gets at the object before its constructor has checked the hooks finds a pool that is not initialized (R47)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

spl_autoload_register(function (string $class): void {
    if ($class !== 'Late') {
        return;
    }
    foreach (debug_backtrace(DEBUG_BACKTRACE_PROVIDE_OBJECT) as $frame) {
        if (($frame['object'] ?? null) instanceof Pool) {
            echo thrown(fn() => $frame['object']->acquire());
            echo thrown(fn() => $frame['object']->release(1));
            echo thrown(fn() => $frame['object']->setCircuitBreakerStrategy(null));
            echo thrown(fn() => $frame['object']->getState());
            echo thrown(fn() => $frame['object']->recover());
            var_dump($frame['object']->tryAcquire(), $frame['object']->isClosed());
            echo counts($frame['object']);
            $frame['object']->close();
        }
    }
    eval('class Late { public static function make(): int { return 7; } }');
});
$pool = new Pool(factory: 'Late::make');
var_dump($pool->acquire());
?>
--EXPECT--
Async\PoolException: Pool is not initialized
Async\PoolException: Pool is not initialized
Async\PoolException: Pool is not initialized
Async\PoolException: Pool is not initialized
Async\PoolException: Pool is not initialized
NULL
bool(true)
0/0/0
int(7)
