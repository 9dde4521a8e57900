--TEST--
What a coroutine throws and nobody awaits is shown at the end of the script, after the others (P27)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\delay;
use function Async\spawn;
use function Async\suspend;

register_shutdown_function(function (): void {
    echo "a later shutdown function\n";
});
spawn(function (): void {
    throw new DomainException('nobody asked');
});
spawn(function (): void {
    delay(5);
    echo "another coroutine\n";
});
suspend();
echo "the script ends\n";
register_shutdown_function(function (): void {
    echo "the last shutdown function\n";
});
?>
--EXPECTF--
the script ends
a later shutdown function
another coroutine
the last shutdown function

Fatal error: Uncaught DomainException: nobody asked in %suncaught_one.php:%d
Stack trace:
%A
