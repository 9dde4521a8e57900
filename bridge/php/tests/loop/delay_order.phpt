--TEST--
delay(): flows go on in the order of their times, and not before
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\await;
use function Async\delay;
use function Async\spawn;

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
delay(80);
$log[] = 'main';
array_map(Async\await(...), $all);
echo implode(' ', $log), "\n";
// With a wide margin: nobody was forgotten.
var_dump((hrtime(true) - $begin) / 1e6 < 5000);
?>
--EXPECT--
20 main 140 200
bool(true)
