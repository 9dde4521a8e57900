--TEST--
Another extension: after a fatal error in a hook the library calls no other one, and the script ends when it has returned (P34)
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/ext.inc';

$pool = new Async\Pool(
    factory: counter(),
    destructor: hook('destructor'),
    beforeAcquire: fn() => trigger_error('the end', E_USER_ERROR),
    min: 1,
);
register_shutdown_function(fn() => print('shutdown ' . counts($pool)));
FakeDb\borrow($pool);
echo "not reached\n";
?>
--EXPECTF--
factory(1)

Fatal error: the end in %s on line %d
shutdown 0/0/0
