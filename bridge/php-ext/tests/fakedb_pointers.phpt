--TEST--
Another extension: C code may call a hook by the pool's public table, drive an op by itself, and copies nothing (P34)
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/ext.inc';

use Async\Pool;

$pool = new Pool(factory: fn() => 'made', healthcheck: function (string $resource): bool {
    echo "healthcheck($resource)\n";

    return strlen($resource) > 4 || throw new DomainException('too short');
}, max: 1);
$held = FakeDb\borrow($pool);
var_dump(FakeDb\healthy($pool));
var_dump(FakeDb\stand($pool), FakeDb\take());
FakeDb\give($pool);
echo counts($pool);
var_dump(FakeDb\take());
FakeDb\give($pool);
echo counts($pool);
echo thrown(fn() => FakeDb\copy($pool));
unset($pool);
echo live(), "\n";
?>
--EXPECT--
healthcheck(made)
bool(false)
bool(true)
NULL
1/0/1
string(4) "made"
1/0/1
Error: Trying to clone an uncloneable object of class Async\Pool
0
