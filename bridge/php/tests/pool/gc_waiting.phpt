--TEST--
Pool: a pool that only its waiters know goes once they were told; the library keeps nothing (R40)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter(), destructor: hook('destructor'), min: 1, max: 2, healthcheckInterval: 1000);
$held = [$pool->acquire(), $pool->acquire()];
$tasks = [];
for ($i = 0; $i < 3; $i++) {
    $tasks[] = spawn(fn() => $pool->acquire());
}
suspend();
unset($pool);
var_dump(live());
foreach ($tasks as $task) {
    echo strtok(thrown(fn() => await($task)), ':'), "\n";
}
unset($tasks, $task);
var_dump(live());
?>
--EXPECT--
factory(1)
factory(2)
int(1)
Async\DeadlockError
Async\DeadlockError
Async\DeadlockError
int(0)
