--TEST--
Pool: what a factory borrowed from the pool that it was filling is let go when the filling fails (B20)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

for ($i = 0; $i < 3; $i++) {
    $calls = 0;
    echo thrown(function () use (&$calls) {
        new Pool(
            factory: function () use (&$calls): string {
                if ($calls++ > 0) {
                    return 'lent';
                }
                foreach (debug_backtrace(DEBUG_BACKTRACE_PROVIDE_OBJECT) as $frame) {
                    if (($frame['object'] ?? null) instanceof Pool) {
                        echo $frame['object']->acquire(), ' ';
                    }
                }
                throw new DomainException('not made');
            },
            min: 1,
            max: 3,
        );
    });
}
echo live(), "\n";
?>
--EXPECT--
lent DomainException: not made
lent DomainException: not made
lent DomainException: not made
0
