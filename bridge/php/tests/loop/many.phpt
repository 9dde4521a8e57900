--TEST--
A thousand coroutines: timers and queues hold, and cancelled deadlines do not pile up (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\Internal\Loop;

use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$all = [];
for ($i = 0; $i < 1000; $i++) {
    $all[] = spawn(function () use ($i): int {
        delay($i % 7);
        suspend();
        return $i;
    });
}
var_dump(array_sum(array_map(Async\await(...), $all)));
unset($all);

// Each has a deadline in an hour that it does not come to.
$far = hrtime(true) + 3600 * 1_000_000_000;
$round = function () use ($far): void {
    for ($i = 0; $i < 2000; $i++) {
        $wait = loop()->waitId();
        loop()->resume($wait);
        loop()->suspend($wait, $far);
    }
};
$round();
$before = memory_get_usage();
$round();
$round();
var_dump(memory_get_usage() - $before < 20_000);
?>
--EXPECT--
int(499500)
bool(true)
