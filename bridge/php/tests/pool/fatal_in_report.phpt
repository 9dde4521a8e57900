--TEST--
Pool: a fatal error in a strategy that has just been replaced ends the script, and no hook is called any more (P27)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), destructor: hook('destructor'));
$pool->setCircuitBreakerStrategy(teller(function (Pool $source): void {
    $source->setCircuitBreakerStrategy(teller());
    trigger_error('the end', E_USER_ERROR);
}));
register_shutdown_function(fn() => print('shutdown ' . counts($pool)));
$pool->release($pool->acquire());
echo "not reached\n";
?>
--EXPECTF--
factory(1)
success

Fatal error: the end in %s on line %d
shutdown 0/1/1
