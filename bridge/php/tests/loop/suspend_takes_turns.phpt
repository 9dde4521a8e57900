--TEST--
suspend(): coroutines and the main flow take turns (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\spawn;
use function Async\suspend;

$log = '';
foreach (['a', 'b'] as $name) {
    spawn(function () use ($name, &$log): void {
        for ($i = 1; $i <= 3; $i++) {
            $log .= "$name$i ";
            suspend();
        }
    });
}
for ($i = 1; $i <= 3; $i++) {
    $log .= "m$i ";
    suspend();
}
echo $log, "\n";
?>
--EXPECT--
m1 a1 b1 m2 a2 b2 m3 a3 b3 
