--TEST--
Pool: refused, and the destructor throws: that ends the acquire (B61, B69)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$refuse = true;
$pool = new Pool(
    factory: counter(),
    destructor: fn($r) => throw new LogicException("destructor($r)"),
    beforeAcquire: function () use (&$refuse): bool {
        delay(5);

        return !$refuse;
    },
    min: 1,
    max: 1,
);
$first = spawn(fn() => $pool->acquire());
$second = spawn(fn() => $pool->acquire());
echo thrown(fn() => await($first));
var_dump(await($second));
echo counts($pool);
$pool->release(2);
echo thrown(fn() => $pool->tryAcquire());
echo counts($pool);
?>
--EXPECT--
factory(1)
factory(2)
LogicException: destructor(1)
int(2)
0/1/1
LogicException: destructor(2)
0/0/0
