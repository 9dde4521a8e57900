--TEST--
exit() in a coroutine ends the script: nothing else runs (P27)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\delay;
use function Async\spawn;

spawn(function (): void {
    delay(60_000);
    echo "not reached\n";
});
spawn(function (): void {
    delay(1);
    echo "exits\n";
    exit(0);
});
register_shutdown_function(function (): void {
    echo "a shutdown function\n";
});
delay(60_000);
echo "not reached\n";
?>
--EXPECT--
exits
a shutdown function
