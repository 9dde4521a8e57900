--TEST--
With Revolt: its own callbacks run while the main flow waits, and take turns with coroutines (E12)
--SKIPIF--
<?php if (getenv("ASYNCPOOL_TEST_LOOP") !== "revolt") die("skip is about Revolt"); ?>
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Revolt\EventLoop;

use function Async\await;
use function Async\spawn;
use function Async\suspend;

$log = [];
$done = false;
EventLoop::queue(function () use (&$log): void {
    $log[] = 'queued';
});
// Takes turns with nobody, for as long as the timer has not come.
await(spawn(function () use (&$done, &$log): void {
    $log[] = 'coroutine';
    EventLoop::delay(0.005, function () use (&$done, &$log): void {
        $log[] = 'timer';
        $done = true;
    });
    while (!$done) {
        suspend();
    }
    $log[] = 'end';
}));
echo implode(' ', $log), "\n";
?>
--EXPECT--
queued coroutine timer end
