--TEST--
Pool: who begins to wait in a shutdown function is told how it ends, also in a fiber that nobody resumes (P27)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), max: 1);
$held = $pool->acquire();
echo thrown(fn() => $pool->acquire(timeout: 1));
$fibers = [];
$begin = function (string $who, int $timeout) use ($pool, &$fibers): void {
    $fibers[] = $fiber = new Fiber(function () use ($who, $timeout, $pool): void {
        try {
            $pool->release($pool->acquire($timeout));
            echo "$who: lent and given back\n";
        } catch (Throwable $error) {
            echo "$who: ", $error::class, "\n";
        }
    });
    $fiber->start();
};
register_shutdown_function(function () use ($pool, $held, $begin): void {
    echo 'at the end: ', thrown(fn() => $pool->acquire(timeout: 1));
    $begin('late', 1);
    register_shutdown_function(function () use ($pool, $held, $begin): void { // when it has been told
        $begin('first', 60000);
        $begin('second', 0);
        $pool->release($held);
        register_shutdown_function(function () use ($pool, $begin): void {
            $pool->acquire();
            $begin('for ever', 0);
        });
    });
});
echo "end\n";
?>
--EXPECT--
factory(1)
Async\TimeoutException: Operation has been cancelled by timeout
end
at the end: Async\TimeoutException: Operation has been cancelled by timeout
late: Async\TimeoutException
first: lent and given back
second: lent and given back
for ever: Async\DeadlockError
