--TEST--
Pool: resize() serves who waits, destroys what is idle and too many, and takes nothing from anybody
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(counter(), hook('destructor'), max: 1);
$held = [$pool->acquire()];
$line = [spawn(fn() => $pool->acquire()), spawn(fn() => $pool->acquire())];
suspend();
$pool->resize(0, 3);
$held[] = await($line[0]);
$held[] = await($line[1]);
echo counts($pool);
$pool->release($held[2]);
$pool->resize(0, 1);
echo counts($pool); // the idle one went
$pool->release($held[1]);
echo counts($pool);
$pool->release($held[0]);
echo counts($pool), $pool->stats()->destroyedShrunk, "\n";
$pool->close();
echo thrown(fn() => $pool->resize(0, 1));

// what is missing to min the next pass makes, which is at once
$made = 0;
$pool = new Pool(function () use (&$made): int { return ++$made; }, healthcheckInterval: 3_600_000);
$pool->resize(2, 4);
while ($pool->idleCount() < 2) {
    delay(1);
}
$pool->resize(3, 4);
while ($pool->idleCount() < 3) {
    delay(1);
}
var_dump($made);
unset($pool, $line);
echo live(), "\n";
?>
--EXPECT--
factory(1)
factory(2)
factory(3)
0/3/3
destructor(3)
0/2/2
destructor(2)
0/1/1
1/0/1
2
destructor(1)
Async\PoolException: Pool is closed
int(3)
0
