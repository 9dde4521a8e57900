--TEST--
Pool: hooks may call back into the pool (B72, R42)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$spare = null;
$pool = new Pool(
    factory: counter(),
    destructor: function ($r) use (&$pool): void {
        echo "destructor($r) ", counts($pool);
        $pool->close();
    },
    beforeAcquire: function ($r) use (&$pool, &$spare): bool {
        $spare = $r === 1 ? $pool->tryAcquire() : $spare;
        echo "beforeAcquire($r) ", counts($pool);

        return true;
    },
    beforeRelease: function ($r) use (&$pool, &$spare): bool {
        $other = $spare;
        $spare = null;
        echo "beforeRelease($r) ", counts($pool);
        $other && $pool->release($other);

        return true;
    },
    min: 2,
    max: 2,
);
$pool->release($pool->acquire());
echo counts($pool);
$pool->close();
echo counts($pool);
?>
--EXPECT--
factory(1)
factory(2)
beforeAcquire(2) 0/2/2
beforeAcquire(1) 0/2/2
beforeRelease(1) 0/2/2
beforeRelease(2) 0/2/2
2/0/2
destructor(2) 1/1/2
destructor(1) 0/2/2
0/0/0
