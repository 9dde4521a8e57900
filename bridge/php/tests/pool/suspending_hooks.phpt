--TEST--
Pool: a resource counts all the while its hooks suspend; nobody squeezes in (B56, B67, B68)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$slow = function (): bool {
    delay(10);

    return true;
};
$pool = new Pool(factory: counter(), beforeAcquire: $slow, beforeRelease: $slow, min: 1, max: 1);
$user = spawn(function () use ($pool): void {
    $resource = $pool->acquire();
    delay(5);
    $pool->release($resource);
    echo "released\n";
});
$second = spawn(fn() => $pool->acquire());
while (!$user->isCompleted()) {
    if ($pool->count() !== 1) {
        echo 'wrong: ', counts($pool);
    }
    delay(1);
}
var_dump(await($second));
echo counts($pool);
?>
--EXPECT--
factory(1)
released
int(1)
0/1/1
