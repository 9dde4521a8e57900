--TEST--
Another extension: a fatal error while coroutines wait in C code ends the script; the pool is left in order (P27, P34)
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/ext.inc';

use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$pool = FakeDb\pool(1);
$held = FakeDb\connect($pool);
spawn(fn() => FakeDb\connect($pool));
spawn(fn() => FakeDb\connect($pool, 60_000));
suspend();
register_shutdown_function(fn() => print('shutdown ' . counts($pool)));
trigger_error('the end', E_USER_ERROR);
?>
--EXPECTF--
Fatal error: the end in %s on line %d
shutdown 0/1/1
