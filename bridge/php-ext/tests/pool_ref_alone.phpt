--TEST--
The extension: what the loop knows of a pool does nothing once the pool is gone (B147)
--FILE--
<?php
require __DIR__ . '/ext.inc';

use Async\Internal\PoolRef;
use Async\Pool;
use function Async\delay;
use function Async\suspend;

$ref = null;
$pool = new Pool(factory: counter(), healthcheck: function () use (&$ref): bool {
    foreach (debug_backtrace(DEBUG_BACKTRACE_PROVIDE_OBJECT) as $frame) {
        if (($frame['object'] ?? null) instanceof PoolRef) {
            $ref = $frame['object'];
        }
    }
    echo "checked\n";

    return true;
}, min: 1, healthcheckInterval: 1);
while (!$ref) {
    delay(1);
}
echo "$ref\n";
$pool->close();
unset($pool);
echo "$ref\n";
$ref->sweep();
echo thrown(fn() => clone $ref);
suspend(); // a check that was due before the close has its turn: PHP itself leaks a fiber that never began
echo live(), "\n";
?>
--EXPECT--
factory(1)
checked
Pool(idle=1, active=0, reserved=0, waiting=0, max=10)
Pool()
Error: Trying to clone an uncloneable object of class Async\Internal\PoolRef
0
