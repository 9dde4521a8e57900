--TEST--
Pool: what a call in with() has given back itself is nobody's business any more, whoever has it by then
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: fn() => new stdClass(), destructor: hook('destructor'), max: 1);
$pool->with(fn(stdClass $resource) => $pool->discard($resource));
echo counts($pool);
$pool->with(fn(stdClass $resource) => $pool->detach($resource));
echo counts($pool);
$other = null;
$pool->with(function (stdClass $resource) use ($pool, &$other): void {
    $pool->release($resource);
    $other = $pool->acquire();
    var_dump($other === $resource);
});
echo counts($pool); // still lent to the other
$pool->release($other);
echo counts($pool);

// and to another coroutine
$task = null;
$pool->with(function (stdClass $resource) use ($pool, &$task): void {
    $task = spawn(fn() => $pool->with(function (stdClass $mine) use ($pool, $resource): void {
        suspend();
        var_dump($mine === $resource, $pool->activeCount());
    }));
    $pool->release($resource);
    suspend();
});
await($task);
echo counts($pool);

// also if it has closed the pool
$pool->with(fn() => $pool->close());
echo counts($pool);
unset($pool, $task, $other);
echo live(), "\n";
?>
--EXPECT--
destructor(stdClass)
0/0/0
0/0/0
bool(true)
0/1/1
1/0/1
bool(true)
int(1)
1/0/1
destructor(stdClass)
0/0/0
0
