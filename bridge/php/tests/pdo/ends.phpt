--TEST--
PDO: the end of a coroutine gives its connection back, however it ends and whoever refers to it (B176, B187, B203)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\AsyncCancellation;
use Async\PDO;

use function Async\await;
use function Async\delay;
use function Async\spawn;

$pdo = sqlite([PDO::ATTR_POOL_MAX => 1]);
$pdo->exec('CREATE TABLE t (v)');
$open = function (string $end) use ($pdo): void {
    $pdo->beginTransaction();
    $pdo->exec('INSERT INTO t VALUES (1)');
    echo "$end: ", used($pdo);
    match ($end) {
        'returns' => null,
        'throws' => throw new Exception($end),
        'is cancelled' => delay(60_000),
        'pins' => $pdo->pin(),
    };
};
$coroutines = [];
foreach (['returns', 'throws', 'is cancelled', 'pins'] as $end) {
    $coroutines[] = $coroutine = spawn($open, $end);
    $next = spawn(fn () => $pdo->query('SELECT count(*) FROM t')->fetchColumn());
    $end === 'is cancelled' && spawn($coroutine->cancel(...));
    try {
        await($coroutine);
    } catch (Exception | AsyncCancellation) {
    }
    echo await($next), ' rows for the next in line, ', used($pdo);
}

echo "one that statements keep\n";
$statement = await(spawn(fn () => $pdo->query('SELECT 1')));
echo used($pdo);
unset($statement);
echo used($pdo);

echo "a fiber that is dropped\n";
$fiber = new Fiber(function () use ($pdo): void {
    $pdo->beginTransaction();
    Fiber::suspend();
});
$fiber->start();
echo used($pdo);
unset($fiber);
echo used($pdo);

echo "the PDO goes after its coroutine\n";
await(spawn($pdo->beginTransaction(...)));
unset($pdo, $open, $coroutines, $coroutine, $next);
echo live(), " pools left\n";
?>
--EXPECT--
returns: 0/1/1
0 rows for the next in line, 1/0/1
throws: 0/1/1
0 rows for the next in line, 1/0/1
is cancelled: 0/1/1
0 rows for the next in line, 1/0/1
pins: 0/1/1
0 rows for the next in line, 1/0/1
one that statements keep
0/1/1
1/0/1
a fiber that is dropped
0/1/1
1/0/1
the PDO goes after its coroutine
0 pools left
