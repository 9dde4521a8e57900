--TEST--
Another extension: of two hooks that throw in one call of C code the first is told, with the other as its previous one (P34)
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/ext.inc';

use Async\AsyncCancellation;
use Async\Pool;

$pool = new Pool(
    factory: fn() => 'made',
    destructor: fn() => throw new DomainException('of the destructor'),
    beforeAcquire: fn() => throw new AsyncCancellation('of beforeAcquire'),
    beforeRelease: fn() => throw new AsyncCancellation('of beforeRelease'),
    min: 1,
    max: 1,
);
echo thrown(fn() => FakeDb\borrow($pool));
echo counts($pool);
echo thrown(fn() => FakeDb\give($pool));
echo counts($pool);
unset($pool);
echo live(), "\n";
?>
--EXPECT--
Async\AsyncCancellation: of beforeAcquire < DomainException: of the destructor
0/1/1
Async\AsyncCancellation: of beforeRelease < DomainException: of the destructor
0/0/0
0
