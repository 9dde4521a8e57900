--TEST--
Pool: after a fatal error no hook is called any more, whatever is lent or idle (P27)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), destructor: hook('destructor'), beforeRelease: hook('beforeRelease'), min: 2);
$pool->setCircuitBreakerStrategy(teller());
$held = $pool->acquire();
register_shutdown_function(fn() => print('shutdown ' . counts($pool)));
trigger_error('the end', E_USER_ERROR);
?>
--EXPECTF--
factory(1)
factory(2)

Fatal error: the end in %s on line %d
shutdown 1/1/2
