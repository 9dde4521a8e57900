--TEST--
Pool: healthchecks do not keep a script alive, nor hide a deadlock (B103, B146, B147, R45)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

$checks = 0;
$pool = new Pool(factory: counter(), destructor: hook('destructor'), healthcheck: function () use (&$checks): bool {
    $checks++ && delay(600_000); // one that is under way does neither

    return true;
}, min: 1, max: 1, healthcheckInterval: 1);
while ($checks === 0) {
    delay(1);
}
$held = $pool->acquire();
echo strtok(thrown(fn() => $pool->acquire()), ':'), "\n";
$pool->release($held);
while ($checks === 1) {
    delay(1);
}
echo counts($pool);
echo "end\n";
?>
--EXPECT--
factory(1)
Async\DeadlockError
0/1/1
end
destructor(1)
