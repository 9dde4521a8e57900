--TEST--
cancel(): the wait it is in ends with an AsyncCancellation: delay(), await(), suspend() (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\AsyncCancellation;

use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$long = spawn(fn () => delay(60_000));
$waits = [
    'delay' => fn () => delay(60_000),
    'await' => fn () => await($long),
    'suspend' => fn () => suspend(),
];
foreach ($waits as $name => $wait) {
    $coroutine = spawn(function () use ($wait, $name): void {
        try {
            $wait();
            echo "not reached\n";
        } finally {
            echo "$name is left\n";
        }
    });
    suspend();
    $coroutine->cancel($why = new AsyncCancellation("enough of $name"));
    try {
        await($coroutine);
    } catch (AsyncCancellation $error) {
        echo $error->getMessage(), ' ', var_export($error === $why, true), "\n";
    }
}
var_dump($long->isCompleted());
$long->cancel();
?>
--EXPECT--
delay is left
enough of delay true
await is left
enough of await true
suspend is left
enough of suspend true
bool(false)
