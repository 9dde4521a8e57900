--TEST--
PDO: who finds none free waits in line, and no limit is exceeded (B167, B173, B204)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

use function Async\suspend;

$one = sqlite([PDO::ATTR_POOL_MAX => 1]);
$one->exec('CREATE TABLE t (v)');
$transaction = fn (int $i) => function () use ($one, $i): void {
    $one->beginTransaction();
    echo "$i: begins\n";
    suspend();
    $one->exec("INSERT INTO t VALUES ($i)");
    suspend();
    echo "$i: commits\n";
    $one->commit();
};
together($transaction(0), $transaction(1), $transaction(2));
echo used($one);

$pdo = sqlite([PDO::ATTR_POOL_MAX => 5]);
$pdo->exec('CREATE TABLE t (v INTEGER)');
$results = together(...array_map(fn (int $i) => function () use ($pdo, $i): int {
    $statement = $pdo->query("SELECT $i");
    suspend();

    return $statement->fetchColumn();
}, range(1, 20)));
var_dump(array_sum($results), $pdo->getPool()->count());

together(...array_map(fn (int $i) => function () use ($pdo, $i): void {
    $insert = $pdo->prepare('INSERT INTO t VALUES (?)');
    suspend();
    $insert->execute([$i]);
}, range(1, 30)));
var_dump($pdo->query('SELECT count(*), sum(v) FROM t')->fetch(PDO::FETCH_NUM));
echo used($pdo);
?>
--EXPECT--
0: begins
0: commits
1: begins
1: commits
2: begins
2: commits
1/0/1
int(210)
int(5)
array(2) {
  [0]=>
  int(30)
  [1]=>
  int(465)
}
5/0/5
