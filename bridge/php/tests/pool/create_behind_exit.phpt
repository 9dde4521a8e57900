--TEST--
Pool: a script may end while something is made behind
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

$pool = new Pool(function (): never {
    while (true) {
        delay(1);
    }
}, max: 1, createBehind: true);
echo thrown(fn() => $pool->acquire(1));
echo "end\n";
?>
--EXPECT--
Async\TimeoutException: Operation has been cancelled by timeout
end
