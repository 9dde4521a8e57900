--TEST--
readable(), writable(): several coroutines await one stream, and one awaits several: all are told (P88)
--FILE--
<?php

require __DIR__ . '/streams.inc';

use function Async\await_all;
use function Async\readable;
use function Async\spawn;
use function Async\suspend;
use function Async\writable;

[$mine, $theirs] = connection();
$all = [];
foreach (['first', 'second', 'third'] as $name) {
    $all[] = spawn(function () use ($mine, $name): string {
        readable($mine);
        return $name . ' ' . var_export(fread($mine, 100), true);
    });
}
$all[] = spawn(fn () => writable($mine) ? 'it can be written to meanwhile' : '');
suspend();
suspend();
suspend();
fwrite($theirs, 'for one of them');
echo implode("\n", await_all($all)), "\n";

[$one, $end] = connection();
[$another, $itsEnd] = connection();
fwrite($itsEnd, '.');
$ready = [];
foreach (['one' => $one, 'another' => $another] as $name => $stream) {
    spawn(function () use ($stream, $name, &$ready): void {
        readable($stream);
        $ready[] = $name;
    });
}
while ($ready === []) {
    suspend();
}
fwrite($end, '.');
while (count($ready) < 2) {
    suspend();
}
echo implode(', ', $ready), "\n";
?>
--EXPECT--
first 'for one of them'
second ''
third ''
it can be written to meanwhile
another, one
