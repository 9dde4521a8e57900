--TEST--
Pool: only idle resources are checked, one at a time, each once a pass (B138, B139)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

$log = '';
$made = 0;
$pool = new Pool(factory: fn() => ++$GLOBALS['made'], healthcheck: function ($r) use (&$log, &$pool) {
    $log .= "$r ";
    $pool->activeCount() === 2 || print('wrong: ' . counts($pool));

    return true;
}, min: 4, max: 4, healthcheckInterval: 2);
$held = $pool->acquire();
while (strlen($log) < 12) {
    delay(1);
}
$pool->close();
echo substr($log, 0, 12), "\n";
?>
--EXPECT--
2 3 4 2 3 4 
