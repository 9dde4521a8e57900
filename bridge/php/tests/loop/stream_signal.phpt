--TEST--
A signal is handled while a flow waits for a stream; the script's error handler is its own meanwhile (P28, P88)
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) die('skip pcntl is not there');
if (getenv('ASYNCPOOL_TEST_LOOP') === 'revolt') die('skip Revolt handles signals itself');
?>
--FILE--
<?php

require __DIR__ . '/streams.inc';

use function Async\readable;
use function Async\spawn;

[$mine, $theirs] = connection();
[$child, $itsEnd] = connection();
set_error_handler(function (int $code, string $text): bool {
    echo "$text\n";
    return true;
});
pcntl_async_signals(true);
pcntl_signal(SIGTERM, function () use ($theirs): void {
    trigger_error('in the handler', E_USER_NOTICE);
    fwrite($theirs, '.');
});
$pid = pcntl_fork();
if ($pid === 0) {
    stream_set_blocking($itsEnd, true);
    fread($itsEnd, 1);
    posix_kill(posix_getppid(), SIGTERM);
    posix_kill(getmypid(), SIGKILL);
}
// Runs once the main flow waits; after that the loop sleeps.
spawn(fn () => fwrite($child, '.'));
var_dump(readable($mine));
pcntl_waitpid($pid, $status);
?>
--EXPECT--
in the handler
bool(true)
