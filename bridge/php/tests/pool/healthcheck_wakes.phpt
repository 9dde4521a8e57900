--TEST--
Pool: a place that a check frees reaches a waiter, whatever the destructor throws (B144, B145)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$ended = 0;
$pool = new Pool(
    factory: counter(),
    destructor: function () use (&$ended): void {
        $ended++;
        throw new LogicException('destructor');
    },
    healthcheck: function (): bool {
        delay(3);

        return false;
    },
    max: 1,
    healthcheckInterval: 1,
);
$pool->release($pool->acquire());
while ($pool->activeCount() === 0) {
    delay(1);
}
$waiter = spawn(fn() => $pool->acquire());
var_dump(await($waiter), $ended);
?>
--EXPECT--
factory(1)
factory(2)
int(2)
int(1)
