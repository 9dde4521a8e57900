--TEST--
Another extension: C code that keeps a pool longer than PHP does finds it closed; no hook is called (P34)
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/ext.inc';

use Async\Pool;

$pool = new Pool(
    factory: fn() => 'made',
    destructor: hook('destructor'),
    healthcheck: hook('healthcheck'),
    beforeRelease: hook('beforeRelease'),
);
FakeDb\borrow($pool);
FakeDb\keep($pool);
unset($pool);
gc_collect_cycles();
echo json_encode(FakeDb\kept()), ' ', live(), "\n"; // POOL_ERR_CLOSED, POOL_ERR_NOT_OWNED
?>
--EXPECT--
{"acquire":-2,"release":-7,"healthy":false} 0
