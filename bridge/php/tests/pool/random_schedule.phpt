--TEST--
Pool: many workers, many cycles: nobody fails, nothing is lost (B45 to B47)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$made = 0;
$pool = new Pool(factory: function () use (&$made): int {
    return ++$made;
}, min: 0, max: 2);
$done = 0;
$none = 0;
$off = 0;
$tasks = [];
for ($worker = 0; $worker < 8; $worker++) {
    $tasks[] = spawn(function () use ($pool, &$done, &$none, &$off): void {
        for ($cycle = 0; $cycle < 20; $cycle++) {
            $resource = mt_rand(0, 2) > 0 ? $pool->acquire() : $pool->tryAcquire();
            if ($resource === null) {
                $none++;
                suspend();
                continue;
            }
            for ($turns = mt_rand(0, 2); $turns > 0; $turns--) {
                suspend();
                $off += $pool->count() === $pool->idleCount() + $pool->activeCount() ? 0 : 1;
                $off += $pool->count() <= 2 ? 0 : 1;
            }
            $pool->release($resource);
            $done++;
        }
    });
}
array_map(fn($task) => await($task), $tasks);
var_dump($done + $none, $none < 160, $off, $made, $pool->activeCount());
?>
--EXPECT--
int(160)
bool(true)
int(0)
int(2)
int(0)
