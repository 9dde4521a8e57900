--TEST--
After a fatal error in a coroutine, that of the memory limit for one, shutdown functions can wait (P27)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\await;
use function Async\delay;
use function Async\spawn;

register_shutdown_function(function (): void {
    delay(1);
    echo "waited\n";
    echo await(spawn(function (): string {
        delay(1);
        return 'spawned';
    })), "\n";
});
spawn(function (): void {
    delay(1);
    ini_set('memory_limit', '32M');
    str_repeat('x', 1 << 28);
});
delay(60_000);
?>
--EXPECTF--
Fatal error: Allowed memory size of %d bytes exhausted (tried to allocate %d bytes) in %sfatal_then_waits.php on line %d
waited
spawned
