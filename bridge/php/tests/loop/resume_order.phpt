--TEST--
Flows go on in the order in which they were resumed
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\await;
use function Async\spawn;
use function Async\suspend;

$tickets = $log = [];
foreach (['a', 'b', 'c', 'd'] as $name) {
    $all[] = spawn(function () use ($name, &$tickets, &$log): void {
        $tickets[$name] = null;
        $log[] = $name . park($tickets[$name]);
    });
}
suspend();
foreach (['c', 'a', 'd', 'b'] as $turn => $name) {
    loop()->resume($tickets[$name], $turn);
}
echo count($log), "\n";
array_map(Async\await(...), $all);
echo implode(' ', $log), "\n";
?>
--EXPECT--
0
c0 a1 d2 b3
