--TEST--
Pool: every waiter is served, with at most max at work (B77 to B79)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter(), max: 2);
$busy = $most = $served = 0;
$tasks = [];
for ($i = 0; $i < 9; $i++) {
    $tasks[] = spawn(function () use ($pool, &$busy, &$most, &$served, $i): void {
        $resource = $pool->acquire();
        $most = max($most, ++$busy);
        $i % 3 ? suspend() : delay(1);
        $busy--;
        $served++;
        $pool->release($resource);
    });
}
array_map(fn($task) => await($task), $tasks);
var_dump($most, $served);
echo counts($pool);
?>
--EXPECT--
factory(1)
factory(2)
int(2)
int(9)
2/0/2
