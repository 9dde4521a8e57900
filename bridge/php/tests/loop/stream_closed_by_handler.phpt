--TEST--
readable(): who waits for a stream that a signal handler closes is told, and others wait on (P28, P88)
--SKIPIF--
<?php if (!extension_loaded('pcntl')) die('skip pcntl is not there'); ?>
--FILE--
<?php

require __DIR__ . '/streams.inc';

use Async\AsyncException;

use function Async\await;
use function Async\delay;
use function Async\readable;
use function Async\spawn;

/** Another process, which sends SIGTERM as soon as it is written to. */
function killer()
{
    [$mine, $theirs] = connection();
    if (pcntl_fork() === 0) {
        stream_set_blocking($theirs, true);
        fread($theirs, 1);
        posix_kill(posix_getppid(), SIGTERM);
        posix_kill(getmypid(), SIGKILL);
    }
    return $mine;
}

$tell = static function (string $name, mixed $stream): void {
    try {
        $isReady = readable($stream);
        echo "$name: ", var_export($isReady, true), "\n";
    } catch (AsyncException $error) {
        echo "$name: {$error->getMessage()}\n";
    }
};
// A signal that comes just before Revolt falls asleep is handled when it wakes.
$isOver = false;
$wakes = spawn(function () use (&$isOver): void {
    while (!$isOver) {
        delay(20);
    }
});
pcntl_async_signals(true);
[$closed, $itsEnd] = connection();
pcntl_signal(SIGTERM, function () use (&$closed): void {
    fclose($closed);
});

$killer = killer();
spawn(fn () => fwrite($killer, '.')); // runs once the main flow waits
$tell('the main flow', $closed);

[$closed, $itsEnd] = connection();
[$open, $other] = connection();
$killer = killer();
$waits = [spawn($tell, 'a coroutine', $closed), spawn($tell, 'another', $open)];
spawn(fn () => fwrite($killer, '.'));
await($waits[0]);
fwrite($other, '.');
await($waits[1]);
$isOver = true;
while (pcntl_wait($status) > 0) {
    // The next one.
}
?>
--EXPECT--
the main flow: The stream was closed while a coroutine waited for it
a coroutine: The stream was closed while a coroutine waited for it
another: true
