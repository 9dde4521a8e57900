--TEST--
readable(): coroutines that take turns hold no stream up, nor does one that is always ready hold up others (P88)
--FILE--
<?php

require __DIR__ . '/streams.inc';

use function Async\await;
use function Async\delay;
use function Async\readable;
use function Async\spawn;
use function Async\suspend;

[$mine, $theirs] = connection();
$reader = spawn(fn () => readable($mine));
suspend();
fwrite($theirs, '.');
while (!$reader->isCompleted()) {
    suspend();
}
var_dump(await($reader));

$isOver = false;
$others = 0;
spawn(function () use ($mine, &$isOver): void {
    while (!$isOver) {
        readable($mine); // it is
    }
});
spawn(function () use (&$isOver, &$others): void {
    while (!$isOver) {
        suspend();
        $others++;
    }
});
delay(5);
$isOver = true;
var_dump($others > 0);
?>
--EXPECT--
bool(true)
bool(true)
