--TEST--
Pool: a fatal error while the constructor makes resources ends the script; no hook is called for those that were made (P27)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

register_shutdown_function(fn() => print("shutdown\n"));
$made = 0;
new Pool(
    factory: function () use (&$made): int {
        return ++$made < 3 ? $made : trigger_error('the end', E_USER_ERROR);
    },
    destructor: hook('destructor'),
    min: 3,
);
echo "not reached\n";
?>
--EXPECTF--
Fatal error: the end in %s on line %d
shutdown
