--TEST--
PDO: lastInsertId() is of the context's own row, also after the connection went back (B211, B212)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

use function Async\suspend;

$pdo = sqlite([PDO::ATTR_POOL_MAX => 1]);
$pdo->exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
$pdo->exec('CREATE TABLE u (id INTEGER PRIMARY KEY, v)');
var_dump($pdo->lastInsertId());
$pdo->exec('INSERT INTO t (v) VALUES (1)');
var_dump($pdo->lastInsertId());

echo "others, on the same connection\n";
together(function () use ($pdo): void {
    $pdo->query('SELECT count(*) FROM t')->fetchAll();
    var_dump($pdo->lastInsertId());
    $pdo->exec('INSERT INTO u (v) VALUES (1)'); // the same number
    var_dump($pdo->lastInsertId());
    $pdo->exec('INSERT INTO t (v) VALUES (2), (3)');
    var_dump($pdo->lastInsertId());
});
var_dump($pdo->lastInsertId());

echo "in transactions, and through one statement\n";
$many = sqlite();
$many->exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
$ids = together(...array_fill(0, 2, function () use ($many): string {
    $many->beginTransaction();
    $many->exec('INSERT INTO t (v) VALUES (1)');
    $id = $many->lastInsertId();
    $many->commit();

    return $id;
}));
sort($ids);
echo implode(', ', $ids), "\n";
$insert = $many->prepare('INSERT INTO t (v) VALUES (?)');
for ($i = 0; $i < 3; $i++) {
    $insert->execute([$i]);
    echo $many->lastInsertId(), "\n";
}
?>
--EXPECT--
string(1) "0"
string(1) "1"
others, on the same connection
string(1) "0"
string(1) "1"
string(1) "3"
string(1) "1"
in transactions, and through one statement
1, 2
3
4
5
