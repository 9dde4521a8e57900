--TEST--
A stream that is ready keeps nobody awake: a signal handler waits above the wait for it (P28, P88)
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) die('skip pcntl is not there');
if (getenv('ASYNCPOOL_TEST_LOOP') === 'revolt') die('skip Revolt handles signals itself');
?>
--FILE--
<?php

require __DIR__ . '/streams.inc';

use function Async\delay;
use function Async\readable;
use function Async\spawn;

[$mine, $theirs] = connection();
[$child, $itsEnd] = connection();
pcntl_async_signals(true);
pcntl_signal(SIGTERM, function () use ($theirs, $child): void {
    if (Fiber::getCurrent() !== null) { // nobody waits here
        fwrite($child, '.');
        return;
    }
    fwrite($theirs, '.');
    delay(1); // by now it is known that the stream is ready
    $before = getrusage()['ru_nvcsw'];
    delay(20);
    echo getrusage()['ru_nvcsw'] > $before ? "it has slept\n" : "it has looked at the stream all the time\n";
});
$pid = pcntl_fork();
if ($pid === 0) {
    fclose($child);
    stream_set_blocking($itsEnd, true);
    while (fread($itsEnd, 1) === '.') {
        posix_kill(posix_getppid(), SIGTERM);
    }
    posix_kill(getmypid(), SIGKILL);
}
// Runs once the main flow waits; after that the loop sleeps.
spawn(fn () => fwrite($child, '.'));
var_dump(readable($mine));
fclose($child);
pcntl_waitpid($pid, $status);
?>
--EXPECT--
it has slept
bool(true)
