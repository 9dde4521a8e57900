--TEST--
Pool: at every place where a signal may be handled while the pool releases, the handler may use the pool (P26)
--SKIPIF--
<?php if (!function_exists('pcntl_async_signals') || !class_exists(FFI::class)) die('skip needs pcntl and FFI'); ?>
--FILE--
<?php
require __DIR__ . '/disturb.inc';
require __DIR__ . '/disturbed_operations.inc';

everywhere(by_signal(...), releasing());
?>
--EXPECT--
to nobody
with a hook
with a hook that says no
to be destroyed
for good
to a strategy
to who waits
to who waits, with hooks
0
