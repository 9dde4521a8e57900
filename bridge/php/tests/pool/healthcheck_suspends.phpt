--TEST--
Pool: a check may suspend; the resource counts as active meanwhile (B142, S3, E4)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$in = false;
$most = 0;
$pool = new Pool(factory: function () use (&$pool, &$most): int {
    $pool && delay(3);
    $most = max($most, $pool?->count() ?? 0);

    return 1;
}, healthcheck: function () use (&$in): bool {
    $in = true;
    delay(3);
    $in = false;

    return false;
}, min: 1, max: 1, healthcheckInterval: 1);
while (!$in) {
    delay(1);
}
echo counts($pool);
$tasks = [spawn(fn() => $pool->acquire()), spawn(fn() => $pool->acquire(timeout: 20))];
await($tasks[0]);
echo strtok(thrown(fn() => await($tasks[1])), ':'), "\n";
var_dump($most);
?>
--EXPECT--
0/1/1
Async\TimeoutException
int(1)
