--TEST--
Pool: of equal values with() gives back its own, and release() takes what was acquired (B10)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await_all;
use function Async\spawn;
use function Async\suspend;

/** Holds one for so many turns. */
function acquire(Pool $pool, string $how, int $turns): void
{
    $value = $pool->acquire();
    for (; $turns > 0; $turns--) {
        suspend();
    }
    $pool->$how($value);
}

function with(Pool $pool, int $turns): void
{
    $pool->with(function () use ($turns): void {
        for (; $turns > 0; $turns--) {
            suspend();
        }
    });
}

$object = new stdClass();
foreach (['true' => true, 'text' => 'text', 'array' => [1], 'object' => $object] as $name => $value) {
    foreach (['release', 'discard', 'detach'] as $how) {
        $pool = new Pool(factory: fn() => $value, max: 4);
        for ($round = 0; $round < 3; $round++) { // what is made, what is idle, and what was handed on
            await_all([
                spawn(acquire(...), $pool, $how, 2),
                spawn(with(...), $pool, 5),
                spawn(acquire(...), $pool, $how, 4),
                spawn(with(...), $pool, 3),
                spawn(acquire(...), $pool, $how, 1),
                spawn(with(...), $pool, 1),
            ]);
            if ($pool->activeCount() !== 0) {
                echo "$name, $how: {$pool->activeCount()} active\n";
            }
        }
    }
    // what only with() has, its call may give back
    $pool = new Pool(factory: fn() => $value, max: 2);
    $pool->with(fn(mixed $value) => $pool->with(fn(mixed $same) => $pool->release($same)));
    echo counts($pool);
}
?>
--EXPECT--
2/0/2
2/0/2
2/0/2
2/0/2
