--TEST--
await_all(): all have ended; the results by key; what the first threw that failed (P89)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\AsyncCancellation;
use Async\AsyncException;

use function Async\await_all;
use function Async\spawn;
use function Async\suspend;

$slow = function (mixed $value, int $turns): mixed {
    for (; $turns > 0; $turns--) {
        suspend();
    }
    return $value instanceof Throwable ? throw $value : $value;
};
var_dump(await_all([]));
echo json_encode(await_all(['slow' => spawn($slow, 1, 3), 'quick' => spawn($slow, 2, 0), 7 => spawn($slow, null, 1)]));
echo "\n";
// All that a generator gives run beside each other: none is waited for before the others were asked for.
echo json_encode(await_all((function () use ($slow): Generator {
    foreach (['a', 'b'] as $key) {
        echo "$key begins\n";
        yield $key => spawn($slow, "$key has ended", 1);
    }
})()));
echo "\n";

// The first by time; those that go on are waited for; the others' failures are told with it.
$last = spawn($slow, 'the last', 9);
$failing = [
    spawn($slow, new LogicException('late'), 5),
    $last,
    spawn($slow, new LengthException('early'), 1),
];
try {
    await_all($failing);
} catch (Exception $error) {
    echo $error::class, ': ', $error->getMessage(), "\n";
}
var_dump($last->isCompleted(), $last->getResult());
$failing = null;

// One coroutine twice; one that has ended before; one that was cancelled.
$done = spawn($slow, 'done', 0);
suspend();
echo json_encode(await_all(['x' => $done, 'y' => $done])), "\n";
$cancelled = spawn($slow, 'never', 0);
$cancelled->cancel();
try {
    await_all([$done, $cancelled]);
} catch (AsyncCancellation $cancellation) {
    echo $cancellation->getMessage(), "\n";
}

// Who is cancelled while it awaits leaves at once, and cancels nobody.
$waiting = spawn(fn () => await_all([$awaited = spawn($slow, 'goes on', 20), $awaited]));
suspend();
$waiting->cancel();
suspend();
suspend();
var_dump($waiting->isCancelled());

foreach ([[1], ['a' => null]] as $wrong) {
    try {
        await_all($wrong);
    } catch (TypeError $error) {
        echo $error->getMessage(), "\n";
    }
}
try {
    await_all([Async\current_coroutine()]);
} catch (AsyncException $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
array(0) {
}
{"slow":1,"quick":2,"7":null}
a begins
b begins
{"a":"a has ended","b":"b has ended"}
LengthException: early
bool(true)
string(8) "the last"
{"x":"done","y":"done"}
The coroutine was cancelled
bool(true)
Async\await_all(): Argument #1 ($coroutines) must give objects of Async\Coroutine, int given
Async\await_all(): Argument #1 ($coroutines) must give objects of Async\Coroutine, null given
A coroutine cannot await itself
