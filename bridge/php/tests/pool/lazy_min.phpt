--TEST--
Pool: with lazyMin the constructor makes nothing, and passes make min as soon as the service lets them
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

$asked = 0;
$pool = new Pool(
    factory: function () use (&$asked): int {
        return ++$asked < 3 ? throw new Exception('the service is down') : $asked;
    },
    min: 2,
    lazyMin: true,
    healthcheckInterval: 1,
);
echo counts($pool), "$asked\n";
while ($pool->idleCount() < 2) {
    delay(1);
}
echo counts($pool), "$asked\n";
$pool->close();

// who needs one before makes it
$pool = new Pool(counter(), min: 1, lazyMin: true);
$pool->release($pool->acquire());
echo counts($pool);

// as many idle as minIdle says, beyond what is lent
$pool = new Pool(fn() => new stdClass(), max: 5, minIdle: 2, healthcheckInterval: 1);
echo counts($pool);
while ($pool->idleCount() < 2) {
    delay(1);
}
$lent = [$pool->acquire(), $pool->acquire()];
while ($pool->idleCount() < 2) {
    delay(1);
}
echo counts($pool);
unset($pool, $lent);
echo live(), "\n";
?>
--EXPECT--
0/0/0
0
2/0/2
4
factory(1)
1/0/1
0/0/0
2/2/4
0
