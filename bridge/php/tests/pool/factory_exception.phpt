--TEST--
Pool: a factory's exception passes unchanged, the pool stays healthy (B37, B38, R26, R35, E5)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$failure = new RuntimeException('Factory failed');
$calls = 0;
$pool = new Pool(factory: function () use (&$calls, $failure) {
    return ++$calls < 4 ? throw $failure : $calls;
}, max: 2);
foreach (['tryAcquire', 'acquire', 'acquire'] as $method) {
    try {
        $pool->$method();
    } catch (Throwable $caught) {
        var_dump($caught === $failure, $caught->getPrevious());
    }
    echo counts($pool);
}
var_dump($pool->acquire());
echo counts($pool);
?>
--EXPECT--
bool(true)
NULL
0/0/0
bool(true)
NULL
0/0/0
bool(true)
NULL
0/0/0
int(4)
0/1/1
