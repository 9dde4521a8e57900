--TEST--
await(): what the coroutine threw is thrown, and is not shown at the end (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\await;
use function Async\delay;
use function Async\spawn;

$failing = spawn(function (): void {
    delay(2);
    throw new DomainException('no such thing');
});
$between = spawn(fn () => await($failing));

foreach ([$failing, $between, $failing] as $coroutine) {
    try {
        await($coroutine);
        echo "not reached\n";
    } catch (DomainException $error) {
        echo $error->getMessage(), "\n";
    }
}
var_dump($failing->getException() === $between->getException());
var_dump($failing->isCompleted(), $failing->isCancelled(), $failing->getResult());
?>
--EXPECT--
no such thing
no such thing
no such thing
bool(true)
bool(true)
bool(false)
NULL
