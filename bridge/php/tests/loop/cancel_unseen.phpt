--TEST--
A cancellation nobody awaits is no failure (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$coroutine = spawn(function (): void {
    try {
        delay(60_000);
    } finally {
        echo "left\n";
    }
});
suspend();
$coroutine->cancel();
echo "the script ends\n";
?>
--EXPECT--
the script ends
left
