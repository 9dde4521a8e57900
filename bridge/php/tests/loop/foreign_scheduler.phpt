--TEST--
Fibers that somebody else resumes in turns wait until it is their time
--SKIPIF--
<?php if (getenv("ASYNCPOOL_TEST_LOOP") === "revolt") die("skip Revolt resumes its fibers itself"); ?>
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\delay;

$log = [];
$fibers = [];
foreach ([200, 5] as $ms) {
    $fibers[] = new Fiber(function () use ($ms, &$log): void {
        $begin = hrtime(true);
        delay($ms);
        $log[] = $ms;
        if (hrtime(true) - $begin < $ms * 1_000_000) {
            echo "too early\n";
        }
    });
}
// The loop never runs here.
array_walk($fibers, fn (Fiber $fiber) => $fiber->start());
while ($fibers !== []) {
    foreach ($fibers as $key => $fiber) {
        $fiber->resume();
        if ($fiber->isTerminated()) {
            unset($fibers[$key]);
        }
    }
}
echo implode(' ', $log), "\n";
?>
--EXPECT--
5 200
