--TEST--
DeadlockError: to those who wait for ever, with what for and where (P25)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\DeadlockError;
use Async\Internal\Loop;

use function Async\await;
use function Async\spawn;

final class Something implements Stringable
{
    public function __toString(): string
    {
        return 'something';
    }
}

$stuck = spawn(function (): string {
    try {
        loop()->suspend(loop()->waitId(), Loop::NEVER, new Something());
    } catch (DeadlockError $error) {
        return $error->getMessage();
    }
    return 'not reached';
});
// The main flow only follows: it gets what the coroutine makes of its error.
echo await($stuck), "\n";
?>
--EXPECTF--
Deadlock: nothing can run any more that could end these 2 waits
  the main flow waits for the end of coroutine %d at %sdeadlock_report.php:28
  a coroutine waits for something at %sdeadlock_report.php:21
