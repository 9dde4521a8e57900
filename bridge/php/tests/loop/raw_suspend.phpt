--TEST--
A coroutine that suspends its fiber itself is not resumed by the loop: awaited it is a deadlock, else it is dropped (P25)
--FILE--
<?php
require __DIR__ . '/loop.inc';

use Async\DeadlockError;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$lost = function (string $name): void {
    try {
        Fiber::suspend();
        echo "not reached\n";
    } finally {
        echo "$name is dropped\n";
    }
};
$awaited = spawn($lost, 'the first');
spawn($lost, 'the second'); // nobody refers to it: it is collected before the verdict
delay(1);
try {
    await($awaited);
} catch (DeadlockError $error) {
    echo strtok($error->getMessage(), "\n"), "\n";
}
unset($awaited);
echo "the script ends\n";
?>
--EXPECT--
the second is dropped
Deadlock: nothing can run any more that could end this wait
the script ends
the first is dropped
