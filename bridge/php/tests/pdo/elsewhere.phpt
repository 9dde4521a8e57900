--TEST--
PDO: a statement works where it was made, whoever uses it; a closed pool says what to do
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

$pdo = sqlite();
$pdo->exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');

$pdo->beginTransaction();
$insert = $pdo->prepare('INSERT INTO t (v) VALUES (?)');
together(function () use ($pdo, $insert): void {
    $insert->execute(['in the transaction of the main flow']);
    var_dump($pdo->inTransaction(), $pdo->lastInsertId(), $pdo->query('SELECT count(*) FROM t')->fetchColumn());
});
var_dump($pdo->lastInsertId(), $pdo->query('SELECT count(*) FROM t')->fetchColumn());
$pdo->rollBack();
unset($insert);
var_dump($pdo->query('SELECT count(*) FROM t')->fetchColumn());

echo "after the end of its coroutine\n";
[$insert] = together(fn () => $pdo->prepare('INSERT INTO t (v) VALUES (?)'));
$insert->execute([1]);
$begin = together(fn () => $pdo->prepare('BEGIN'))[0];
$begin->execute();
$own = $pdo->query('SELECT count(*) FROM t');
echo $own->fetchColumn(), ' ', used($pdo);
unset($insert, $begin, $own);
echo used($pdo);

echo "closed\n";
$statement = $pdo->query('SELECT 1 UNION SELECT 2');
$pdo->getPool()->close();
echo implode(', ', $statement->fetchAll(PDO::FETCH_COLUMN)), "\n";
echo $pdo->query('SELECT 3')->fetchColumn(), ", on the connection that it has\n";
unset($statement);
echo used($pdo);
echo thrown(fn () => $pdo->exec('SELECT 1'));
echo thrown(fn () => $pdo->pin());
var_dump($pdo->inTransaction(), $pdo->errorCode());
?>
--EXPECT--
bool(false)
string(1) "0"
int(0)
string(1) "1"
int(1)
int(0)
after the end of its coroutine
1 0/3/3
3/0/3
closed
1, 2
3, on the connection that it has
0/0/0
PDOException: The pool of this PDO was closed: make a new Async\PDO < Async\PoolException: Pool is closed
PDOException: The pool of this PDO was closed: make a new Async\PDO < Async\PoolException: Pool is closed
bool(false)
string(5) "00000"
