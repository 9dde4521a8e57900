--TEST--
readable(), writable(): who waits for a stream that another coroutine closes is told (P88)
--FILE--
<?php

require __DIR__ . '/streams.inc';

use Async\AsyncException;

use function Async\await;
use function Async\delay;
use function Async\readable;
use function Async\spawn;
use function Async\suspend;
use function Async\writable;

$tell = static function (string $name, callable $wait): void {
    try {
        $wait();
        echo "$name: ready\n";
    } catch (AsyncException $error) {
        echo "$name: {$error->getMessage()}\n";
    }
};
[$mine, $theirs] = connection();
while (fwrite($mine, str_repeat('.', 65536)) > 0) {
}
[$open, $itsEnd] = connection();
$all = [
    spawn($tell, 'first reader', fn () => readable($mine)),
    spawn($tell, 'second reader', fn () => readable($mine, 600_000)),
    spawn($tell, 'writer', fn () => writable($mine)),
];
$other = spawn($tell, 'of another stream', fn () => readable($open));
suspend();
spawn(function () use ($mine): void {
    suspend();
    fclose($mine);
    delay(1);
});
array_map(Async\await(...), $all);
fwrite($itsEnd, '.');
await($other);

// By the main flow; when it is the only one; and by who goes on in the same turn, before its waiter does.
[$mine, $theirs] = connection();
$alone = spawn($tell, 'alone', fn () => readable($mine));
suspend();
fclose($mine);
await($alone);

[$mine, $theirs] = connection();
fwrite($theirs, '.');
$late = spawn($tell, 'ready, and closed', fn () => readable($mine));
spawn(fn () => fclose($mine));
await($late);

[$mine, $theirs] = connection();
spawn(function () use ($mine): void {
    suspend();
    fclose($mine);
});
$tell('the main flow', fn () => readable($mine));
?>
--EXPECT--
first reader: The stream was closed while a coroutine waited for it
second reader: The stream was closed while a coroutine waited for it
writer: The stream was closed while a coroutine waited for it
of another stream: ready
alone: The stream was closed while a coroutine waited for it
ready, and closed: The stream was closed while a coroutine waited for it
the main flow: The stream was closed while a coroutine waited for it
