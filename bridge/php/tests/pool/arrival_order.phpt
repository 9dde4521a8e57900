--TEST--
Pool: waiters are served strictly in arrival order (B80)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: fn() => 'only', max: 1);
$log = '';
$tasks = [];
for ($i = 0; $i < 6; $i++) {
    $tasks[] = spawn(function () use ($pool, $i, &$log): void {
        for ($cycle = 0; $cycle < 3; $cycle++) {
            $resource = $pool->acquire();
            $log .= $i;
            suspend();
            $pool->release($resource);
            suspend();
        }
    });
}
array_map(fn($task) => await($task), $tasks);
echo "$log\n";
?>
--EXPECT--
012345012345012345
