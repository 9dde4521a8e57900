--TEST--
Pool: who is refused keeps the place, until its factory fails (B69)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$calls = 0;
$pool = new Pool(
    factory: function () use (&$calls) {
        return match (++$calls) {
            1, 3 => $calls,
            2 => throw new RuntimeException('factory(2)'),
        };
    },
    beforeAcquire: function (): bool {
        delay(5);

        return false;
    },
    min: 1,
    max: 1,
);
$first = spawn(fn() => $pool->acquire());
$second = spawn(fn() => $pool->acquire());
echo thrown(fn() => await($first));
var_dump(await($second));
echo counts($pool);
?>
--EXPECT--
RuntimeException: factory(2)
int(3)
0/1/1
