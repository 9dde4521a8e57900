--TEST--
Pool: at every place where the collector may run while the pool closes or destructs, what it destroys may use the pool (P26)
--FILE--
<?php
require __DIR__ . '/disturb.inc';
require __DIR__ . '/disturbed_operations.inc';

everywhere(by_collector(...), ending());
?>
--EXPECT--
close
drain
destruct
0
