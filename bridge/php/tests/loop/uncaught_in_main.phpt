--TEST--
An uncaught exception of the main flow ends the script: coroutines only clean up (P27)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\delay;
use function Async\spawn;
use function Async\suspend;

spawn(function (): void {
    try {
        delay(20);
        echo "not reached\n";
    } finally {
        echo "cleaned up\n";
    }
});
suspend();
throw new DomainException('the end');
?>
--EXPECTF--
Fatal error: Uncaught DomainException: the end in %suncaught_in_main.php:%d
Stack trace:
#0 {main}
  thrown in %suncaught_in_main.php on line %d
cleaned up
