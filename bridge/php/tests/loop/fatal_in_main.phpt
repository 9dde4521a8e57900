--TEST--
A fatal error is the end, also one of trigger_error(): nothing that was spawned runs any more (P27)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\delay;
use function Async\spawn;
use function Async\suspend;

register_shutdown_function(fn() => print("shutdown\n"));
spawn(function (): void {
    delay(1);
    echo "not reached\n";
});
suspend();
spawn(fn() => print("not reached\n"));
trigger_error('the end', E_USER_ERROR);
?>
--EXPECTF--
Fatal error: the end in %sfatal_in_main.php on line %d
shutdown
