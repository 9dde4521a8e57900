--TEST--
Pool: at every place where a signal may be handled while the pool checks, or moves the breaker, the handler may use the pool (P26)
--SKIPIF--
<?php if (!function_exists('pcntl_async_signals') || !class_exists(FFI::class)) die('skip needs pcntl and FFI'); ?>
--FILE--
<?php
require __DIR__ . '/disturb.inc';
require __DIR__ . '/disturbed_operations.inc';

everywhere(by_signal(...), keeping());
?>
--EXPECT--
healthcheck
evict
resize
the breaker opens
0
