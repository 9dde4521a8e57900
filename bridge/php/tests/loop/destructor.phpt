--TEST--
In a destructor, where PHP forbids to switch fibers, a wait fails and nothing is lost (P28)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\await;
use function Async\spawn;
use function Async\suspend;

$done = spawn(function (): string {
    suspend();
    return 'done';
});
suspend();

final class Waits
{
    public function __construct(private Async\Coroutine $coroutine)
    {
    }

    public function __destruct()
    {
        try {
            echo await($this->coroutine), " in the destructor\n";
        } catch (FiberError $error) {
            echo "FiberError\n";
        }
    }
}

$object = new Waits($done);
$object = null;
echo await($done), "\n";
?>
--EXPECTREGEX--
(FiberError\n|done in the destructor\n)done
