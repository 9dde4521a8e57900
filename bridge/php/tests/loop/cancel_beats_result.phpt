--TEST--
cancel(): a coroutine that was woken but has not run yet gets the cancellation (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\AsyncCancellation;

use function Async\await;
use function Async\spawn;
use function Async\suspend;

$waiting = spawn(function () use (&$wait): string {
    try {
        return park($wait);
    } catch (AsyncCancellation) {
        return 'cancelled';
    }
});
suspend();
loop()->resume($wait, 'a value');
$waiting->cancel();
var_dump(await($waiting));

// The other way round the value comes too late.
$waiting = spawn(fn () => park($wait));
suspend();
$waiting->cancel();
loop()->resume($wait, 'a value');
try {
    await($waiting);
} catch (AsyncCancellation $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
string(9) "cancelled"
The coroutine was cancelled
