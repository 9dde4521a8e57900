--TEST--
Fibers that somebody else resumes in turns wait until it is their time (P29)
--SKIPIF--
<?php if (getenv("ASYNCPOOL_TEST_LOOP") === "revolt") die("skip Revolt resumes its fibers itself"); ?>
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\delay;

$fibers = [];
$surely = []; // when its time has come
foreach ([200, 5] as $ms) {
    $fiber = new Fiber(function () use ($ms): void {
        $begin = hrtime(true);
        delay($ms);
        if (hrtime(true) - $begin < $ms * 1_000_000) {
            echo "too early\n";
        }
    });
    $fiber->start();
    $fibers[$ms] = $fiber;
    $surely[$ms] = hrtime(true) + $ms * 1_000_000;
}
// The loop never runs here.
while ($fibers !== []) {
    foreach ($fibers as $ms => $fiber) {
        $due = hrtime(true) >= $surely[$ms];
        $fiber->resume();
        if ($fiber->isTerminated()) {
            unset($fibers[$ms]);
        } elseif ($due) {
            echo "too late\n";
        }
    }
}
echo "all have come back\n";
?>
--EXPECT--
all have come back
