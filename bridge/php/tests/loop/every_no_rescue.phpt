--TEST--
every(): a timer alone does not end a deadlock (P25)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\DeadlockError;

$calls = 0;
$timer = loop()->every(1, function () use (&$calls): void {
    $calls++;
});
try {
    park($wait);
} catch (DeadlockError $error) {
    echo strtok($error->getMessage(), "\n"), "\n";
}
loop()->cancel($timer);
?>
--EXPECT--
Deadlock: nothing can run any more that could end this wait
