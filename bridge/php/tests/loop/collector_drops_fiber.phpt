--TEST--
The collector takes a coroutine that will never go on: everybody else does, also after the end of the script
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\await;
use function Async\spawn;
use function Async\suspend;

$ended = 0;
$leave = function () use (&$ended): void {
    spawn(function () use (&$ended): void {
        try {
            Fiber::suspend();
        } finally {
            $ended++;
        }
    });
    suspend();
    suspend();
};
$isWell = false;
spawn(function () use (&$isWell): void { // a wake-up that is lost shows while something else can run
    for ($turns = 0; !$isWell && $turns < 10_000; $turns++) {
        suspend();
    }
    echo $isWell ? "in time\n" : "too late\n";
});

// By another coroutine, while the main flow waits.
$leave();
await(spawn(function (): void {
    gc_collect_cycles();
    suspend();
}));
echo "well $ended\n";

// By the main flow.
$leave();
gc_collect_cycles();
suspend();
echo "well $ended\n";
$isWell = true;

spawn(function (): void {
    suspend();
    suspend();
    echo "after the end\n";
});
?>
--EXPECT--
well 1
well 2
in time
after the end
