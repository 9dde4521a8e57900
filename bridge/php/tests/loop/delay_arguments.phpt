--TEST--
delay(): 0 lets the others run, less is an error, the largest number is for ever (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\delay;
use function Async\spawn;

spawn(function (): void {
    echo "the other\n";
});
delay(0);
echo "after delay(0)\n";
try {
    delay(-1);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}

$long = spawn(fn () => delay(PHP_INT_MAX));
delay(5);
var_dump($long->isSuspended());
$long->cancel();
delay(1);
var_dump($long->isCancelled());
?>
--EXPECT--
the other
after delay(0)
Async\delay(): Argument #1 ($ms) must be >= 0
bool(true)
bool(true)
