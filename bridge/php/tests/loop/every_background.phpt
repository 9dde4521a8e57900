--TEST--
every(): called again and again, without overlap, and does not keep the script alive (P27)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\delay;

$calls = $inside = 0;
$timer = loop()->every(2, function () use (&$calls, &$inside): void {
    $inside++;
    delay(3);
    if ($inside !== 1) {
        echo "two at once\n";
    }
    $inside--;
    $calls++;
});
while ($calls < 3) {
    delay(1);
}
loop()->cancel($timer);
delay(10);
$seen = $calls;
delay(20);
var_dump($calls === $seen);

loop()->cancel($timer);
loop()->cancel(12345);
loop()->every(1, fn () => delay(60_000));
loop()->every(60_000, function (): void {
    echo "not reached\n";
});
delay(10); // a call is under way
echo "the script ends\n";
?>
--EXPECT--
bool(true)
the script ends
