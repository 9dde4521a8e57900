--TEST--
Flows go on in the order in which they were resumed (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\await;
use function Async\spawn;
use function Async\suspend;

$waits = $log = [];
foreach (['a', 'b', 'c', 'd'] as $name) {
    $all[] = spawn(function () use ($name, &$waits, &$log): void {
        $waits[$name] = null;
        $log[] = $name . park($waits[$name]);
    });
}
suspend();
foreach (['c', 'a', 'd', 'b'] as $turn => $name) {
    loop()->resume($waits[$name], $turn);
}
echo count($log), "\n";
array_map(Async\await(...), $all);
echo implode(' ', $log), "\n";
?>
--EXPECT--
0
c0 a1 d2 b3
