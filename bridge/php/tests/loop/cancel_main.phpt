--TEST--
cancel(): the main flow too, and a cancellation is not caught as an Exception (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\AsyncCancellation;

use function Async\current_coroutine;
use function Async\delay;
use function Async\spawn;

$main = current_coroutine();
spawn(function () use ($main): void {
    $main->cancel();
});
try {
    delay(60_000);
} catch (Exception) {
    echo "not reached\n";
} catch (AsyncCancellation $error) {
    echo $error->getMessage(), "\n";
}
delay(1);
var_dump($error instanceof Error, $error instanceof Async\AsyncException);
?>
--EXPECT--
The coroutine was cancelled
bool(true)
bool(false)
