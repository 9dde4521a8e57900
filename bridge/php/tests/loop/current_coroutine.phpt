--TEST--
current_coroutine(): each flow has its own, the main flow too; a foreign fiber has none (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\AsyncException;

use function Async\await;
use function Async\current_coroutine;
use function Async\spawn;
use function Async\suspend;

$main = current_coroutine();
$coroutine = spawn(function () use ($main, &$coroutine): void {
    var_dump(current_coroutine() === $coroutine, $coroutine->isRunning(), $main->isRunning());
    suspend();
    var_dump(current_coroutine() === $coroutine, $main->isSuspended());
});
await($coroutine);
var_dump(current_coroutine() === $main, $main->isRunning(), $main->isCompleted());

(new Fiber(function (): void {
    try {
        current_coroutine();
    } catch (AsyncException $error) {
        echo $error->getMessage(), "\n";
    }
}))->start();
?>
--EXPECT--
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
This fiber is not a coroutine
