--TEST--
spawn(): it runs when the current flow waits, in the order of the calls, with its arguments (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\Coroutine;

use function Async\spawn;
use function Async\suspend;

$say = function (string $what, int ...$more): void {
    echo $what, ' ', implode(',', $more), "\n";
};

$first = spawn($say, 'first', 1, 2);
$second = spawn($say, 'second');
var_dump($first instanceof Coroutine, $first->isStarted(), $first->getId() !== $second->getId());
echo "nothing has run\n";
suspend();
var_dump($first->isStarted(), $first->isCompleted());
spawn($say, 'third');
echo "the script ends\n";
?>
--EXPECT--
bool(true)
bool(false)
bool(true)
nothing has run
first 1,2
second 
bool(true)
bool(true)
the script ends
third 
