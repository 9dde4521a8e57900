--TEST--
await_any(): what the first returned that did not fail; the others go on (P89)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\AsyncCancellation;
use Async\AsyncException;

use function Async\await;
use function Async\await_any;
use function Async\spawn;
use function Async\suspend;

$slow = function (mixed $value, int $turns): mixed {
    for (; $turns > 0; $turns--) {
        suspend();
    }
    return $value instanceof Throwable ? throw $value : $value;
};
$late = spawn($slow, 'late', 9);
var_dump(await_any([$late, spawn($slow, new LogicException('fails early'), 0), spawn($slow, 'early', 3)]));
var_dump($late->isCompleted(), await($late));
var_dump(await_any([spawn($slow, null, 0)]));

// The first by time, also of those that have ended before.
$second = spawn($slow, 'second', 2);
$first = spawn($slow, 'first', 0);
suspend();
suspend();
suspend();
suspend();
var_dump(await_any([$second, $first]));

// None returns: one of them is there twice.
$failing = spawn($slow, new LogicException('later'), 4);
try {
    await_any([$failing, spawn($slow, new LengthException('first'), 1), $failing]);
} catch (AsyncException $error) {
    echo $error->getMessage(), ', ', $error->getPrevious()->getMessage(), "\n";
}
try {
    await_any([$failing]);
} catch (AsyncException $error) {
    echo $error->getMessage(), ', ', $error->getPrevious()->getMessage(), "\n";
}
try {
    await_any([]);
} catch (AsyncException $error) {
    echo $error->getMessage(), ', ';
    var_dump($error->getPrevious());
}

// A cancelled one has not returned.
$cancelled = spawn($slow, 'never', 3);
suspend();
$cancelled->cancel();
var_dump(await_any([$cancelled, spawn($slow, 'not cancelled', 5)]));

// Who fails after it was decided was awaited: nobody is told at the end of the script.
var_dump(await_any([spawn($slow, 'enough', 0), spawn($slow, new LogicException('not of interest'), 3)]));

// Who is cancelled while it awaits leaves at once, and cancels nobody.
$waiting = spawn(fn () => await_any([spawn($slow, 'goes on', 20)]));
suspend();
$waiting->cancel();
suspend();
suspend();
var_dump($waiting->isCancelled());

foreach ([fn () => await_any([1]), fn () => await_any([Async\current_coroutine()])] as $wrong) {
    try {
        $wrong();
    } catch (TypeError | AsyncException $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--EXPECT--
string(5) "early"
bool(false)
string(4) "late"
NULL
string(5) "first"
None of the coroutines has returned, first
None of the coroutines has returned, later
There was no coroutine to await, NULL
string(13) "not cancelled"
string(6) "enough"
bool(true)
Async\await_any(): Argument #1 ($coroutines) must give objects of Async\Coroutine, int given
A coroutine cannot await itself
