--TEST--
Pool: a releaser cannot take its place back before who waits; a refused one neither (B81, B82)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

foreach ([true, false] as $kept) {
    $pool = new Pool(factory: counter(), beforeRelease: fn() => $kept, max: 1);
    $log = '';
    $tasks = [];
    foreach (['A', 'B'] as $name) {
        $tasks[] = spawn(function () use ($pool, $name, &$log): void {
            for ($cycle = 0; $cycle < 3; $cycle++) {
                $resource = $pool->acquire();
                $log .= "$name$cycle ";
                suspend();
                $pool->release($resource);
            }
        });
    }
    array_map(fn($task) => await($task), $tasks);
    echo "$log\n";
}
?>
--EXPECT--
factory(1)
A0 B0 A1 B1 A2 B2 
factory(1)
factory(2)
factory(3)
factory(4)
factory(5)
factory(6)
A0 B0 A1 B1 A2 B2 
