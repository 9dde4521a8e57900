--TEST--
Pool: at every place where a signal may be handled while the pool waits, the handler may use the pool (P26)
--SKIPIF--
<?php if (!function_exists('pcntl_async_signals') || !class_exists(FFI::class)) die('skip needs pcntl and FFI'); ?>
--FILE--
<?php
require __DIR__ . '/disturb.inc';
require __DIR__ . '/disturbed_operations.inc';

$waiting = waiting();
unset($waiting['with nothing to come']); // a signal may come just behind the verdict
everywhere(by_signal(...), $waiting);
?>
--EXPECT--
in the main flow
in a coroutine
in vain
0
