--TEST--
Pool: after failures of every kind letting it go still closes it at once (P32)
--INI--
zend.exception_ignore_args=0
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$use = function (Closure $fail, ?Closure $beforeRelease = null): void {
    $made = 0;
    $pool = new Pool(
        factory: function () use (&$made) {
            return ++$made === 2 ? throw new RuntimeException('factory') : $made;
        },
        destructor: hook('destructor', fn($r) => $beforeRelease && throw new LogicException('destructor')),
        beforeRelease: $beforeRelease,
        max: 2,
    );
    $held = $pool->acquire();
    echo thrown(fn() => $fail($pool, $held));
};
gc_disable();
$use(fn(Pool $pool) => $pool->acquire());
$use(fn(Pool $pool) => $pool->release('foreign'));
$use(fn(Pool $pool, $held) => $pool->release($held), fn() => false);
$use(function (Pool $pool): void {
    $pool->deactivate();
    $pool->acquire();
});
$use(function (Pool $pool): void {
    thrown(fn() => $pool->acquire());
    $pool->acquire();
    $pool->acquire(timeout: 1);
});
echo Async\Internal\Library::ffi()->pool_debug_live(), "\n";
?>
--EXPECT--
RuntimeException: factory
Async\PoolException: Resource is not lent by this pool
destructor(1)
LogicException: destructor
Async\ServiceUnavailableException: Service is unavailable (circuit breaker is open)
Async\TimeoutException: Operation has been cancelled by timeout
0
