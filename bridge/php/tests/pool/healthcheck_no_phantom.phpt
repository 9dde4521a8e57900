--TEST--
Pool: passes over a busy pool wake nobody: order and deadlines stay (S1)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter(), healthcheck: fn() => true, max: 1, healthcheckInterval: 2);
$held = $pool->acquire();
$begin = hrtime(true);
$late = spawn(fn() => $pool->acquire(timeout: 60));
$tasks = [];
foreach (['A', 'B', 'C'] as $name) {
    $tasks[] = spawn(function () use ($pool, $name): void {
        $resource = $pool->acquire();
        echo "$name\n";
        suspend();
        $pool->release($resource);
    });
}
echo strtok(thrown(fn() => await($late)), ':'), "\n";
$elapsed = (hrtime(true) - $begin) / 1e6;
var_dump($elapsed >= 60);
$pool->release($held);
array_map(fn($task) => await($task), $tasks);
?>
--EXPECT--
factory(1)
Async\TimeoutException
bool(true)
A
B
C
