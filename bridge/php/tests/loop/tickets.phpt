--TEST--
Tickets: early, late and double wake-ups; the first outcome holds, but an error overtakes it
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\Internal\Loop;

use function Async\spawn;
use function Async\suspend;

$loop = loop();
$early = $loop->ticket();
$loop->resume($early, 'early');
$loop->resume($early, 'twice');
var_dump($loop->suspend($early));
$loop->resume($early, 'late');

spawn(function () use (&$ticket, $loop, $early): void {
    $loop->resume($early);
    $loop->resume($ticket, 'value');
    $loop->throw($ticket, new DomainException('error'));
    $loop->throw($ticket, new DomainException('another error'));
});
try {
    park($ticket);
} catch (DomainException $error) {
    echo $error->getMessage(), "\n";
}

$next = $loop->ticket();
$loop->throw($next, new RangeException('before the wait'));
try {
    $loop->suspend($next);
} catch (RangeException $error) {
    echo $error->getMessage(), "\n";
}
$loop->resume(0);
$loop->throw(999_999, new RangeException('of nobody'));
suspend();
var_dump($early < $ticket && $ticket < $next);
?>
--EXPECT--
string(5) "early"
error
before the wait
bool(true)
