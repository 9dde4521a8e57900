--TEST--
Another extension: C code borrows from a pool that was made in PHP; what its hooks throw reaches PHP (P34)
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/ext.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$fails = false;
$pool = new Pool(
    factory: function () use (&$fails): object {
        return $fails ? throw new DomainException('no more') : (object) ['name' => 'made in PHP'];
    },
    destructor: fn($r) => print("destructor\n"),
    beforeAcquire: hook('beforeAcquire'),
    beforeRelease: hook('beforeRelease', fn($r) => delay(1) ?? !isset($r->used)),
    max: 1,
);
$pool->setCircuitBreakerStrategy(teller());
$object = FakeDb\borrow($pool);
echo $object->name, ' ', counts($pool);
echo FakeDb\give($pool), ' ', counts($pool);
var_dump($pool->acquire() === $object);
$waiting = spawn(fn() => FakeDb\borrow($pool));
spawn(fn() => $pool->release($object));
var_dump(await($waiting) === $object);
$object->used = true;
echo FakeDb\give($pool), ' ', counts($pool);
$fails = true;
echo thrown(fn() => FakeDb\borrow($pool));
echo counts($pool);
var_dump(FakeDb\same($pool));
unset($pool, $object, $waiting);
echo live(), "\n";
?>
--EXPECT--
made in PHP 0/1/1
beforeRelease(stdClass)
success
0 1/0/1
beforeAcquire(stdClass)
bool(true)
beforeRelease(stdClass)
success
beforeAcquire(stdClass)
bool(true)
beforeRelease(stdClass)
failure: Exception: Resource validation failed
destructor
0 0/0/0
DomainException: no more
0/0/0
bool(true)
0
