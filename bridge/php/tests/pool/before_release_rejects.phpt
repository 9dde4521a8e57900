--TEST--
Pool: beforeRelease refuses with false or an exception: destroyed (B63, B64, R26)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$answers = [false, fn() => throw new Error('broken'), true];
$pool = new Pool(
    factory: counter(),
    destructor: hook('destructor'),
    beforeRelease: hook('beforeRelease', function () use (&$answers) {
        $answer = array_shift($answers);

        return $answer instanceof Closure ? $answer() : $answer;
    }),
    max: 5,
);
for ($i = 0; $i < 3; $i++) {
    $pool->release($pool->tryAcquire());
    echo counts($pool);
}
?>
--EXPECT--
factory(1)
beforeRelease(1)
destructor(1)
0/0/0
factory(2)
beforeRelease(2)
destructor(2)
0/0/0
factory(3)
beforeRelease(3)
1/0/1
destructor(3)
