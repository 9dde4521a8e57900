--TEST--
Pool: exit while min is being made: what was made is destroyed (E5, P27)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

register_shutdown_function(fn() => print("shutdown\n"));
$made = 0;
new Pool(factory: function () use (&$made): int {
    if (++$made === 3) {
        exit;
    }

    return $made;
}, destructor: hook('destructor'), min: 4);
?>
--EXPECT--
destructor(1)
destructor(2)
shutdown
