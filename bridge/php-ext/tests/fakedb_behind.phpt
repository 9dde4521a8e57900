--TEST--
Another extension: C code is served by what a coroutine makes behind it, and waits for a factory that asks to be tried later
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/ext.inc';

use Async\Pool;
use Async\TryLater;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$made = 0;
$factory = function () use (&$made): stdClass {
    delay(1);
    $made++;

    return $made % 2 === 1 ? throw new TryLater(1, 'not yet') : (object) ['number' => $made];
};
foreach ([true, false] as $createBehind) {
    $made = 0;
    $pool = new Pool($factory, hook('destructor'), max: 1, createBehind: $createBehind);
    $object = FakeDb\borrow($pool); // the main flow waits
    echo $object->number, ' ', counts($pool);
    echo FakeDb\give($pool), ' ', counts($pool);
    $pool->evict();
    $task = spawn(fn() => FakeDb\borrow($pool));
    echo await($task)->number, ' ', counts($pool);
    echo FakeDb\give($pool), ' ', counts($pool);
    var_dump($pool->stats()->failed);
    unset($pool, $object, $task);
}
echo live(), "\n";
?>
--EXPECT--
2 0/1/1
0 1/0/1
destructor(stdClass)
4 0/1/1
0 1/0/1
int(0)
destructor(stdClass)
2 0/1/1
0 1/0/1
destructor(stdClass)
4 0/1/1
0 1/0/1
int(0)
destructor(stdClass)
0
