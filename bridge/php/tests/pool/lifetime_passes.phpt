--TEST--
Pool: passes in the background destroy what is too old or idle for too long, and make up for it to min
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

$made = $gone = 0;
$factory = function () use (&$made): int { return ++$made; };
$destructor = function () use (&$gone): void { $gone++; };

$pool = new Pool($factory, $destructor, min: 2, max: 4, maxLifetime: 5, healthcheckInterval: 1);
while ($pool->stats()->destroyedLifetime < 4 || $pool->idleCount() < 2) {
    delay(1);
}
var_dump($made >= 6, $gone >= 4, $made - $gone === $pool->count());
$pool->close();

// what is idle for too long goes, down to min
$made = $gone = 0;
$pool = new Pool($factory, $destructor, min: 1, max: 4, idleTimeout: 5, healthcheckInterval: 1);
$lent = array_map(fn() => $pool->acquire(), range(1, 4));
array_map($pool->release(...), $lent);
while ($pool->count() > 1) {
    delay(1);
}
var_dump($pool->stats()->destroyedIdle, $gone, $made);

// without a healthcheckInterval they come as often as the limit needs them
$pool = new Pool($factory, $destructor, max: 4, idleTimeout: 5);
$pool->release($pool->acquire());
while ($pool->count() > 0) {
    delay(10);
}
var_dump($pool->stats()->destroyedIdle);
unset($pool);
echo live(), "\n";
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
int(3)
int(3)
int(4)
int(1)
0
