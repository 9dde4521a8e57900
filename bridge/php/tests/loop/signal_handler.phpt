--TEST--
In a signal handler, where PHP forbids to switch fibers, one may spawn and cancel, but not wait for a coroutine (P28)
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) die('skip pcntl is not there');
if (getenv('ASYNCPOOL_TEST_LOOP') === 'revolt') die('skip Revolt handles signals itself');
?>
--FILE--
<?php
require __DIR__ . '/loop.inc';

use Async\AsyncCancellation;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$long = spawn(fn () => delay(60_000));
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, function () use ($long): void {
    $task = spawn(fn () => print("spawned\n"));
    try {
        await($task);
    } catch (FiberError $error) {
        echo "FiberError\n";
    }
    $long->cancel();
});
spawn(function (): void {
    posix_kill(getmypid(), SIGUSR1);
});
try {
    await($long);
} catch (AsyncCancellation $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
FiberError
spawned
The coroutine was cancelled
