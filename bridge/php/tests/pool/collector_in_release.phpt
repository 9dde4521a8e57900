--TEST--
Pool: at every place where the collector may run while the pool releases, what it destroys may use the pool (P26)
--FILE--
<?php
require __DIR__ . '/disturb.inc';
require __DIR__ . '/disturbed_operations.inc';

everywhere(by_collector(...), releasing());
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
