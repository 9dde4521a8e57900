--TEST--
Pool: a flow comes back from its hook while what it had is being destroyed by the destruction of its pool (B112)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$checked = false;
$pool = new Pool(
    factory: counter(),
    destructor: function (int $r) use (&$checked): void {
        echo "destructor($r) begins\n";
        while (!$checked) {
            suspend();
        }
        suspend();
        suspend();
        echo "destructor($r) ends\n";
    },
    beforeAcquire: function () use (&$checked): bool {
        suspend();
        suspend();
        $checked = true;
        return true;
    },
    min: 1,
    max: 1,
);
$inside = spawn(fn() => thrown(fn() => $pool->acquire()));
suspend();
$pool->__destruct();
echo counts($pool);
echo await($inside);
echo thrown(fn() => $pool->acquire());
unset($pool, $inside);
echo live(), "\n";
?>
--EXPECT--
factory(1)
destructor(1) begins
destructor(1) ends
0/0/0
Async\PoolException: Pool is closed
Async\PoolException: Pool is closed
0
