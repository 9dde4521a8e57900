--TEST--
While somebody waits for a stream there is no deadlock; without one, it is found (P25, P88)
--FILE--
<?php

require __DIR__ . '/streams.inc';

use Async\DeadlockError;

use function Async\await;
use function Async\readable;
use function Async\spawn;
use function Async\suspend;

[$mine, $theirs] = connection();
[$child, $itsEnd] = connection();
$pid = pcntl_fork();
if ($pid === 0) { // writes when it is told to, which nobody here can foresee
    stream_set_blocking($itsEnd, true);
    fread($itsEnd, 1);
    fwrite($theirs, '.');
    posix_kill(getmypid(), SIGKILL);
}
$stuck = spawn(function (): string {
    $self = Async\current_coroutine();
    $another = spawn(fn () => await($self));
    try {
        await($another);
    } catch (DeadlockError) {
        return 'a deadlock';
    }
    return 'none';
});
$reading = spawn(function () use ($mine): string {
    readable($mine);
    return 'read ' . fread($mine, 1);
});
suspend();
suspend();
fwrite($child, '.');
echo await($reading), "\n";
var_dump($stuck->isCompleted());
echo await($stuck), "\n";
pcntl_waitpid($pid, $status);
?>
--EXPECT--
read .
bool(false)
a deadlock
