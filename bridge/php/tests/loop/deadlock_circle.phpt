--TEST--
DeadlockError: in a circle of coroutines that await each other, and in the main flow alone (B103, P25)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\DeadlockError;

use function Async\await;
use function Async\delay;
use function Async\spawn;

$a = spawn(function () use (&$b): void {
    await($b);
});
$b = spawn(fn () => await($a));
foreach ([$a, $b] as $coroutine) {
    try {
        await($coroutine);
    } catch (DeadlockError $error) {
        echo strtok($error->getMessage(), "\n"), "\n";
    }
}
try {
    park($wait);
} catch (DeadlockError $error) {
    echo strtok($error->getMessage(), "\n"), "\n";
}
delay(1);
echo "and all goes on\n";
?>
--EXPECT--
Deadlock: nothing can run any more that could end these 3 waits
Deadlock: nothing can run any more that could end these 3 waits
Deadlock: nothing can run any more that could end this wait
and all goes on
