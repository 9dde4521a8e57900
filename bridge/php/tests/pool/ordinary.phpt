--TEST--
Pool: with hooks that say yes and a strategy, waiting, being served and running out of time never enter Go (P02)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\CircuitBreakerStrategy;
use Async\Internal\Library;
use Async\Pool;
use Async\PoolException;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$asked = $reports = $late = 0;
$yes = function () use (&$asked): bool { $asked++; return true; };
$pool = new Pool(factory: fn() => new stdClass(), beforeAcquire: $yes, beforeRelease: $yes, max: 2);
$pool->setCircuitBreakerStrategy(new class ($reports) implements CircuitBreakerStrategy {
    public function __construct(private int &$reports) {}
    public function reportSuccess(mixed $source): void { $this->reports++; }
    public function reportFailure(mixed $source, Throwable $error): void { throw $error; }
    public function shouldRecover(): bool { return false; }
});
$cycles = function (int $cycles) use ($pool): void {
    for ($cycle = 0; $cycle < $cycles; $cycle++) {
        $resource = $pool->acquire();
        suspend();
        $pool->release($resource);
    }
};
$both = fn() => [$pool->acquire(), $pool->acquire()];
array_map($pool->release(...), $both()); // made

$crossings = Library::ffi()->pool_debug_crossings();
foreach ([2, 10] as $fibers) { // with nothing to wait for, and with a line
    $tasks = array_map(fn() => spawn($cycles, 1000), range(1, $fibers));
    array_map(fn($task) => await($task), $tasks);
}
$held = $both();
for ($i = 0; $i < 5; $i++) {
    $late += (int) ($pool->tryAcquire() === null);
    try {
        $pool->acquire(1);
    } catch (PoolException) {
        $late++;
    }
}
array_map($pool->release(...), $held);
var_dump(Library::ffi()->pool_debug_crossings() - $crossings, $late);
// 12 times 1000 cycles and 2 ask twice and report once. The first two were made, which asks once less.
var_dump($asked, $reports);
?>
--EXPECT--
int(0)
int(10)
int(24006)
int(12004)
