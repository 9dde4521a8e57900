--TEST--
Waiting goes on after a signal handler has thrown into the loop's sleep
--SKIPIF--
<?php
if (!function_exists('pcntl_fork')) {
    die('skip needs pcntl');
}
?>
--FILE--
<?php

require __DIR__ . '/streams.inc';

use function Async\await;
use function Async\delay;
use function Async\readable;
use function Async\spawn;

[$ours, $theirs] = connection();
$parent = getmypid();
$throws = false;
pcntl_signal(SIGUSR1, function () use (&$throws): void {
    if ($throws) {
        $throws = false;
        throw new DomainException('a signal');
    }
});
if (($child = pcntl_fork()) === 0) {
    while (posix_getppid() === $parent) { // until it is ended
        str_contains(file_get_contents("/proc/$parent/stat"), ') S ') && posix_kill($parent, SIGUSR1); // it sleeps
        usleep(1000);
    }
    posix_kill(getmypid(), SIGKILL);
}
pcntl_async_signals(true);
spawn(function () use (&$throws): void {
    $throws = true; // and nothing but the sleep is left
});
try {
    readable($ours);
} catch (Throwable $error) {
    echo "thrown\n";
}
posix_kill($child, SIGKILL);
pcntl_waitpid($child, $status);
delay(1);
echo await(spawn(fn () => 'goes on')), "\n";
?>
--EXPECT--
thrown
goes on
