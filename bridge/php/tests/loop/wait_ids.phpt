--TEST--
Ids of waits: early, late and double wake-ups; the first outcome holds, but an error overtakes it (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\Internal\Loop;

use function Async\spawn;
use function Async\suspend;

$loop = loop();
$early = $loop->waitId();
$loop->resume($early, 'early');
$loop->resume($early, 'twice');
var_dump($loop->suspend($early));
$loop->resume($early, 'late');

spawn(function () use (&$wait, $loop, $early): void {
    $loop->resume($early);
    $loop->resume($wait, 'value');
    $loop->throw($wait, new DomainException('error'));
    $loop->throw($wait, new DomainException('another error'));
});
try {
    park($wait);
} catch (DomainException $error) {
    echo $error->getMessage(), "\n";
}

$next = $loop->waitId();
$loop->throw($next, new RangeException('before the wait'));
try {
    $loop->suspend($next);
} catch (RangeException $error) {
    echo $error->getMessage(), "\n";
}
$loop->resume(0);
$loop->throw(999_999, new RangeException('of nobody'));
suspend();
var_dump($early < $wait && $wait < $next);
?>
--EXPECT--
string(5) "early"
error
before the wait
bool(true)
