--TEST--
Pool: the script's main flow acquires, waits and times out (B30, B99, B101, R38, R49)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\spawn;

$pool = new Pool(factory: counter(), max: 1);
$held = $pool->acquire();
echo thrown(fn() => $pool->acquire(timeout: 10));
spawn(function () use ($pool, $held): void {
    echo "releasing\n";
    $pool->release($held);
});
var_dump($pool->acquire(timeout: 3000));
echo counts($pool);
?>
--EXPECT--
factory(1)
Async\TimeoutException: Operation has been cancelled by timeout
releasing
int(1)
0/1/1
