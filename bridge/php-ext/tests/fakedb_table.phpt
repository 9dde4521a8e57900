--TEST--
Another extension: each function of the table answers cleanly without the library, and does its work with it (P34)
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/ext.inc';

$library = getenv('ASYNCPOOL_LIBRARY');
putenv('ASYNCPOOL_LIBRARY=/nowhere/libasyncpool.so.1');
$without = FakeDb\table();
echo thrown(fn() => FakeDb\pool(1));
putenv("ASYNCPOOL_LIBRARY=$library");
foreach (FakeDb\table() as $name => $with) {
    printf("%-15s %s, %s\n", $name, json_encode($without[$name]), json_encode($with));
}
echo live(), "\n";
?>
--EXPECT--
Error: FakeDb: no pool
create_ex       -3, 0
made            false, true
create          false, true
disposed        2, 2
create_internal false, true
ref             false, true
new_object      false, true
acquire         -3, 0
try_acquire     -3, 2
lent            true, true
release         -3, 0
acquire_lease   -3, 0
leased          true, true
release_lease   -3, 0
snapshot        -3, 0
set_error       -3, 0
last_error      -3, 0
strerror        "the library is not loaded", "the pool is closed"
set_strategy    -3, 0
activate        -3, 0
recover         -3, 0
deactivate      -3, 0
state           1, 1
close           -3, 0
is_closed       true, true
0
