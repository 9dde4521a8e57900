--TEST--
delay(): flows go on in the order of their times, and not before (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\await;
use function Async\delay;
use function Async\spawn;

// Any two are 60 ms apart. On a busy machine they may begin further apart; then once more.
do {
    $begin = hrtime(true);
    $log = [];
    $all = [];
    foreach ([200, 20, 140] as $ms) {
        $all[] = spawn(function () use ($ms, $begin, &$log): void {
            delay($ms);
            $log[] = $ms;
            $took = (hrtime(true) - $begin) / 1e6;
            if ($took < $ms) {
                echo "$ms ms took $took ms\n";
            }
        });
    }
    $all[] = spawn(function () use (&$begun): void {
        $begun = hrtime(true);
    });
    delay(80);
    $log[] = 'main';
    array_map(Async\await(...), $all);
} while ($begun - $begin >= 60_000_000);
echo implode(' ', $log), "\n";
?>
--EXPECT--
20 main 140 200
