--TEST--
A fiber that is no coroutine may wait: whoever started it goes on, the loop resumes it (P29)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\await;
use function Async\delay;
use function Async\spawn;

$coroutine = spawn(fn () => 'a result');
$fiber = new Fiber(function () use ($coroutine): void {
    echo "in the fiber\n";
    delay(2);
    echo await($coroutine), "\n";
    delay(2);
    echo "the end of the fiber\n";
});
$fiber->start();
var_dump($fiber->isSuspended());
echo "the script ends\n";
?>
--EXPECT--
in the fiber
bool(true)
the script ends
a result
the end of the fiber
