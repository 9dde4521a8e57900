--TEST--
Coroutine::finally(): called once at the end, however that comes, before those go on who await it
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\AsyncCancellation;

use function Async\await;
use function Async\current_coroutine;
use function Async\delay;
use function Async\spawn;

function says(string $text): Closure
{
    return function () use ($text): void {
        echo "$text\n";
    };
}

$body = function (string $name): void {
    current_coroutine()->finally(says("$name: first"));
    current_coroutine()->finally(says("$name: second"));
    delay(1);
    $name === 'throws' && throw new Exception($name);
};
foreach (['returns', 'throws', 'is cancelled'] as $name) {
    $coroutine = spawn($body, $name);
    spawn(fn () => $name === 'is cancelled' && $coroutine->cancel());
    try {
        await($coroutine);
    } catch (Exception | AsyncCancellation $end) {
        echo $end::class, "\n";
    }
    echo "$name: its end was awaited\n";
}
$coroutine->finally(says('of one that has ended: at once'));

$coroutine->finally(fn (Async\Coroutine $ended) => var_dump($ended === $coroutine));

$unstarted = spawn($body, 'never runs');
$unstarted->finally(says('cancelled before it began'));
$unstarted->cancel();

current_coroutine()->finally(says('the end of the main flow'));
spawn(says('and what it has spawned runs after it'));
echo "the last line\n";
?>
--EXPECT--
returns: first
returns: second
returns: its end was awaited
throws: first
throws: second
Exception
throws: its end was awaited
is cancelled: first
is cancelled: second
Async\AsyncCancellation
is cancelled: its end was awaited
of one that has ended: at once
bool(true)
cancelled before it began
the last line
the end of the main flow
and what it has spawned runs after it
