--TEST--
A signal is handled while the main flow waits (P28)
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) die('skip pcntl is not there');
if (getenv('ASYNCPOOL_TEST_LOOP') === 'revolt') die('skip Revolt handles signals itself');
?>
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\spawn;

pcntl_async_signals(true);
pcntl_signal(SIGTERM, function () use (&$wait): void {
    loop()->resume($wait, 'from the handler');
});
[$mine, $theirs] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$child = pcntl_fork();
if ($child === 0) {
    fread($theirs, 1);
    posix_kill(posix_getppid(), SIGTERM);
    posix_kill(posix_getpid(), SIGKILL);
}
// Runs once the main flow waits; after that the loop sleeps.
spawn(fn () => fwrite($mine, '.'));
var_dump(park($wait, hrtime(true) + 600_000_000_000));
pcntl_waitpid($child, $status);
?>
--EXPECT--
string(16) "from the handler"
