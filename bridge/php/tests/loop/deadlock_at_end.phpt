--TEST--
DeadlockError: at the end of the script too, where it is shown if it is not caught (P25)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\DeadlockError;

use function Async\spawn;

spawn(function (): void {
    try {
        loop()->suspend(loop()->waitId());
    } catch (DeadlockError) {
        echo "caught\n";
    }
});
spawn(function (): void {
    loop()->suspend(loop()->waitId());
});
echo "the script ends\n";
?>
--EXPECTF--
the script ends
caught

Fatal error: Uncaught Async\DeadlockError: Deadlock: nothing can run any more that could end these 2 waits
  a coroutine waits for being resumed at %sdeadlock_at_end.php:11
  a coroutine waits for being resumed at %sdeadlock_at_end.php:17 in %s
%A
