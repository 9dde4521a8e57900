--TEST--
Pool: with 1,000 fibers alive a cycle costs what it costs with ten
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$time = function (int $fibers): float {
    $pool = new Pool(factory: fn() => new stdClass(), max: 5);
    $begin = 0;
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
    $begin = ran();
    array_map(fn($task) => await($task), $tasks);

    return (ran() - $begin) / ($fibers * $cycles);
};
$time(10);
$few = min($time(10), $time(10), $time(10));
$many = min($time(1000), $time(1000), $time(1000));
var_dump($many < 5 * $few ?: "$many against $few ns");
?>
--EXPECT--
bool(true)
