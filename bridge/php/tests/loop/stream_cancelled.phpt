--TEST--
readable(): who is cancelled leaves, and nothing is left of its wait, nor of one whose time was up (P88)
--FILE--
<?php

require __DIR__ . '/streams.inc';

use Async\AsyncCancellation;

use function Async\await;
use function Async\readable;
use function Async\spawn;
use function Async\suspend;

[$mine, $theirs] = connection();
$round = function (int $timeout) use (&$mine): void {
    $waiting = spawn(function () use ($mine, $timeout): void {
        readable($mine, $timeout);
    });
    suspend();
    $timeout === 0 && $waiting->cancel();
    try {
        await($waiting);
        echo 'its time was up, ';
    } catch (AsyncCancellation) {
        echo 'cancelled, ';
    }
};
$round(0);
$round(1);
$early = spawn(fn () => readable($mine));
$early->cancel();
suspend();
var_dump($early->isCancelled());
// Who still waits is not disturbed by those who have left.
$waiting = spawn(fn () => readable($mine));
$left = spawn(fn () => readable($mine));
suspend();
$left->cancel();
suspend();
fwrite($theirs, '.');
var_dump(await($waiting));
$waiting = $left = $early = null;
fread($mine, 1);

// Nobody refers to it any more: it is closed, which its other end hears.
$mine = null;
gc_collect_cycles();
var_dump(readable($theirs), fread($theirs, 1), feof($theirs));

[$mine, $theirs] = connection();
$many = function (int $rounds) use ($mine): void {
    for ($i = 0; $i < $rounds; $i++) {
        $waiting = spawn(fn () => readable($mine, 600_000));
        suspend();
        $waiting->cancel();
        suspend();
    }
};
$many(300);
$before = memory_get_usage();
$many(1000);
var_dump(memory_get_usage() - $before < 20_000);
?>
--EXPECT--
cancelled, its time was up, bool(true)
bool(true)
bool(true)
string(0) ""
bool(true)
bool(true)
