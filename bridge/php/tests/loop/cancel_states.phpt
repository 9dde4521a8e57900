--TEST--
cancel(): before the start, while running, twice, after the end (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\AsyncCancellation;

use function Async\await;
use function Async\current_coroutine;
use function Async\delay;
use function Async\spawn;

$never = spawn(function (): void {
    echo "not reached\n";
});
$never->cancel();
var_dump($never->isCompleted(), $never->isCancelled(), $never->isStarted());

$itself = spawn(function (): string {
    current_coroutine()->cancel();
    echo "goes on until it waits\n";
    try {
        delay(60_000);
    } catch (AsyncCancellation) {
        delay(1); // told once
    }
    current_coroutine()->cancel();
    delay(1);
    return 'cleaned up';
});
var_dump(await($itself), $itself->isCancellationRequested(), $itself->isCancelled());
$itself->cancel();
var_dump(await($itself));
?>
--EXPECT--
bool(true)
bool(true)
bool(false)
goes on until it waits
string(10) "cleaned up"
bool(true)
bool(false)
string(10) "cleaned up"
