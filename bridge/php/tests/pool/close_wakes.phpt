--TEST--
Pool: close() sends who waits away, after it has finished itself (B107, B108)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter(), destructor: hook('destructor'), max: 2);
$held = [$pool->acquire(), $pool->acquire()];
for ($i = 0; $i < 3; $i++) {
    $tasks[] = spawn(function () use ($pool, $i): void {
        echo "$i: ", thrown(fn() => $pool->acquire());
    });
}
suspend();
$pool->close();
echo "closed\n";
array_map(fn($task) => await($task), $tasks);
echo counts($pool);
?>
--EXPECT--
factory(1)
factory(2)
0: 1: 2: closed
Async\PoolException: Pool is closed
Async\PoolException: Pool is closed
Async\PoolException: Pool is closed
0/2/2
