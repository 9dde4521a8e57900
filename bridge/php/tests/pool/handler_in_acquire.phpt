--TEST--
Pool: at every place where a signal may be handled while the pool acquires, the handler may use the pool (P26)
--SKIPIF--
<?php if (!function_exists('pcntl_async_signals') || !class_exists(FFI::class)) die('skip needs pcntl and FFI'); ?>
--FILE--
<?php
require __DIR__ . '/disturb.inc';
require __DIR__ . '/disturbed_operations.inc';

everywhere(by_signal(...), acquiring());
?>
--EXPECT--
an idle one
a new one
a new one, without waiting
a new one, made behind
for the time of a call
with a hook
with a hook that says no once
0
