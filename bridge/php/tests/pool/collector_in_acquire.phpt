--TEST--
Pool: at every place where the collector may run while the pool acquires, what it destroys may use the pool (P26)
--FILE--
<?php
require __DIR__ . '/disturb.inc';
require __DIR__ . '/disturbed_operations.inc';

everywhere(by_collector(...), acquiring());
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
