--TEST--
Pool: sixteen that use five and ask again at once are served strictly by ticket (B84)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: fn() => new stdClass(), max: 5);
$ticket = 0;
$served = [];
$tasks = [];
for ($i = 0; $i < 16; $i++) {
    $tasks[] = spawn(function () use ($pool, &$ticket, &$served): void {
        while (count($served) < 320) {
            $mine = $ticket++;
            $resource = $pool->acquire();
            $served[] = $mine;
            mt_rand(0, 1) ? suspend() : delay(1);
            $pool->release($resource);
        }
    });
}
array_map(fn($task) => await($task), $tasks);
// While all take part there is always somebody in line. In the end a place may be left for newcomers.
var_dump(array_slice($served, 0, 320) === range(0, 319));
echo counts($pool);
?>
--EXPECT--
bool(true)
5/0/5
