--TEST--
Pool: at every place where the collector may run while the pool checks, or moves the breaker, what it destroys may use the pool (P26)
--FILE--
<?php
require __DIR__ . '/disturb.inc';
require __DIR__ . '/disturbed_operations.inc';

everywhere(by_collector(...), keeping());
?>
--EXPECT--
healthcheck
evict
resize
the breaker opens
0
