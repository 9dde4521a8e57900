--TEST--
PDO: statements and transactions keep the connection, and so does pin() (B169, B175, B177 to B179)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

$pdo = sqlite();
$pdo->exec('CREATE TABLE t (v)');

echo "statements\n";
$first = $pdo->query('SELECT 1');
$second = $pdo->prepare('INSERT INTO t VALUES (?)');
echo used($pdo);
unset($first);
echo used($pdo);
$second->execute(['kept']);
var_dump($pdo->query('SELECT v FROM t')->fetchColumn());
unset($second);
echo used($pdo);

echo "who iterates, and what is lazy\n";
$rows = (fn () => yield from $pdo->query('SELECT v FROM t'))();
echo $rows->current()['v'], ', ', used($pdo);
unset($rows);
$lazy = $pdo->query('SELECT v FROM t')->fetch(PDO::FETCH_LAZY);
echo $lazy->v, ', ', used($pdo);
unset($lazy);
echo used($pdo);

foreach (['commit', 'rollBack'] as $end) {
    echo "$end\n";
    $pdo->beginTransaction();
    $insert = $pdo->prepare('INSERT INTO t VALUES (?)');
    $another = $pdo->prepare('INSERT INTO t VALUES (?)');
    $insert->execute([1]);
    $another->execute([2]);
    unset($insert, $another);
    $pdo->exec('INSERT INTO t VALUES (3)');
    echo used($pdo);
    var_dump($pdo->$end());
    echo used($pdo);
    var_dump($pdo->query('SELECT count(*) FROM t')->fetchColumn());
}

echo "pin\n";
$pdo->pin();
$pdo->exec('CREATE TEMP TABLE mine (v)');
echo used($pdo);
$pdo->beginTransaction();
$pdo->exec('INSERT INTO mine VALUES (1)');
$pdo->unpin();
echo used($pdo);
$pdo->commit();
echo used($pdo);
$pdo->unpin();
echo used($pdo);
?>
--EXPECT--
statements
0/1/1
0/1/1
string(4) "kept"
1/0/1
who iterates, and what is lazy
kept, 0/1/1
kept, 0/1/1
1/0/1
commit
0/1/1
bool(true)
1/0/1
int(4)
rollBack
0/1/1
bool(true)
1/0/1
int(4)
pin
0/1/1
0/1/1
1/0/1
1/0/1
