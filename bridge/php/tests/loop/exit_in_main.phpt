--TEST--
exit() in the main flow is an end of the script like any other (P27)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\delay;
use function Async\spawn;

spawn(function (): void {
    delay(5);
    echo "to its end\n";
    // Spawned at the end, and by a shutdown function.
    spawn(fn () => print("and this\n"));
});
register_shutdown_function(function (): void {
    echo "a shutdown function\n";
    spawn(function (): void {
        delay(1);
        echo "and that\n";
    });
});
delay(0);
exit(0);
?>
--EXPECT--
to its end
and this
a shutdown function
and that
