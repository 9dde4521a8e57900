--TEST--
Pool: values that are alike cost no more than others: arrays of one size, with and without references, and equal values (P32)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

const COUNT = 30_000;
$others = [];
$kinds = [
    'arrays of one size' => fn(int $n) => ['id' => $n, 'in' => ['n' => $n, 'name' => 'same']],
    'arrays with references' => function (int $n): array {
        $in = $n;
        return ['id' => $n, 'in' => &$in];
    },
    'arrays with references that others have, too' => function (int $n) use (&$others): array {
        $others[] = $n;
        return ['same', 'in' => &$others[array_key_last($others)]];
    },
    'equal strings' => fn(int $n) => 'same',
    'equal arrays' => fn(int $n) => ['same', strval(1.5)],
];
// Where each release looks at all, this takes minutes.
foreach ($kinds as $kind => $make) {
    $n = 0;
    $pool = new Pool(factory: function () use (&$n, $make): mixed {
        return $make(++$n);
    }, min: COUNT, max: COUNT);
    for ($lent = []; ($r = $pool->tryAcquire()) !== null;) {
        $lent[] = $r;
    }
    foreach (array_reverse($lent) as $r) {
        $pool->release($r);
    }
    echo $kind, ': ', count($lent), ' ', thrown(fn() => $pool->release($r)), counts($pool);
    $pool->close();
}
unset($pool, $make, $kinds, $lent, $r);
echo live(), "\n";
?>
--EXPECT--
arrays of one size: 30000 Async\PoolException: Resource is not lent by this pool
30000/0/30000
arrays with references: 30000 Async\PoolException: Resource is not lent by this pool
30000/0/30000
arrays with references that others have, too: 30000 Async\PoolException: Resource is not lent by this pool
30000/0/30000
equal strings: 30000 Async\PoolException: Resource is not lent by this pool
30000/0/30000
equal arrays: 30000 Async\PoolException: Resource is not lent by this pool
30000/0/30000
0
