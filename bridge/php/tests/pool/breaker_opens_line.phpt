--TEST--
Pool: an opening breaker sends everybody in line away, woken or not (B96, B131, S10)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: fn() => 'only', max: 1);
$held = $pool->acquire();
$tasks = [spawn(fn() => $pool->acquire()), spawn(fn() => $pool->acquire())];
suspend();
$pool->release($held); // the first is woken
$pool->deactivate();
foreach ($tasks as $task) {
    echo thrown(fn() => await($task));
}
echo counts($pool);
$pool->activate();
var_dump($pool->acquire());
?>
--EXPECT--
Async\ServiceUnavailableException: Service is unavailable (circuit breaker is open)
Async\ServiceUnavailableException: Service is unavailable (circuit breaker is open)
1/0/1
string(4) "only"
