--TEST--
Pool: who would wait for ever gets a DeadlockError that shows the pool (B91, B103, R49, P25)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;

$pool = new Pool(factory: fn() => 'only', max: 1);
$held = $pool->acquire();
try {
    $pool->acquire();
} catch (Async\DeadlockError $error) {
    echo preg_match('/Pool\(.*\)/', $error->getMessage(), $match) ? $match[0] : $error->getMessage(), "\n";
}
echo counts($pool);
$tasks = [spawn(fn() => $pool->acquire()), spawn(fn() => $pool->acquire())];
foreach ($tasks as $task) {
    echo strtok(thrown(fn() => await($task)), ':'), "\n";
}
$pool->release($held);
var_dump($pool->acquire());
?>
--EXPECT--
Pool(idle=0, active=1, reserved=0, waiting=1, max=1)
0/1/1
Async\DeadlockError
Async\DeadlockError
string(4) "only"
