--TEST--
suspend(): where PHP forbids to switch fibers it throws, and the loop goes on (P29)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\delay;
use function Async\spawn;
use function Async\suspend;

class Suspends
{
    public function __destruct()
    {
        try {
            suspend();
        } catch (FiberError $error) {
            echo $error->getMessage(), "\n";
        }
    }
}

spawn(function (): void {
    $object = new Suspends();
    unset($object);
    echo "the coroutine ends\n";
});
suspend();
delay(1);
echo "the main flow ends\n";
?>
--EXPECT--
Cannot switch fibers in current execution context
the coroutine ends
the main flow ends
