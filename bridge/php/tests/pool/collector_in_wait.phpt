--TEST--
Pool: at every place where the collector may run while the pool waits, what it destroys may use the pool (P26)
--FILE--
<?php
require __DIR__ . '/disturb.inc';
require __DIR__ . '/disturbed_operations.inc';

everywhere(by_collector(...), waiting());
?>
--EXPECT--
in the main flow
in a coroutine
in vain
with nothing to come
0
