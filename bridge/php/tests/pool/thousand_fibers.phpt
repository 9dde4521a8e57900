--TEST--
Pool: with 1,000 fibers alive a cycle costs what it costs with ten (P32)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Internal\Library;
use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

/** What the cycles of so many fibers cost: calls into the core, and runs of the collector of cycles. */
$costs = function (int $fibers): array {
    $pool = new Pool(factory: fn() => new stdClass(), max: 5);
    $tasks = [];
    $cycles = intdiv(20_000, $fibers);
    for ($i = 0; $i < $fibers; $i++) {
        $tasks[] = spawn(function () use ($pool, $cycles): void {
            for ($cycle = 0; $cycle < $cycles; $cycle++) {
                $resource = $pool->acquire();
                suspend();
                $pool->release($resource);
            }
        });
    }
    suspend(); // all have begun
    $crossings = Library::ffi()->pool_debug_crossings();
    $runs = gc_status()['runs'];
    array_map(fn($task) => await($task), $tasks);

    return [Library::ffi()->pool_debug_crossings() - $crossings, gc_status()['runs'] - $runs];
};
$costs(10);
[$few, $runs] = $costs(10);
[$many, $manyRuns] = $costs(1000);
// However many there are.
var_dump($few, $many, $runs, $manyRuns);
?>
--EXPECT--
int(0)
int(0)
int(0)
int(0)
