--TEST--
PDO: transactions are the context's own; what is left open is rolled back before the next (B180, B181, B184, B185)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

use function Async\suspend;

$pdo = sqlite([PDO::ATTR_POOL_MAX => 2]);
var_dump($pdo->inTransaction());
echo used($pdo);
$pdo->exec('CREATE TABLE t (v)');

[$inFirst, $inSecond] = together(
    function () use ($pdo): bool {
        $pdo->beginTransaction();
        suspend();

        return $pdo->inTransaction();
    },
    function () use ($pdo): bool {
        $pdo->beginTransaction();
        $pdo->exec("INSERT INTO t VALUES ('committed')");
        $pdo->commit();

        return $pdo->inTransaction();
    },
);
var_dump($inFirst, $inSecond);
echo used($pdo);

together(function () use ($pdo): void {
    $pdo->beginTransaction();
    $pdo->exec("INSERT INTO t VALUES ('rolled back')");
    $pdo->rollBack();
    $pdo->beginTransaction();
    $pdo->exec("INSERT INTO t VALUES ('left open')");
});
echo used($pdo), implode(', ', $pdo->query('SELECT v FROM t')->fetchAll(PDO::FETCH_COLUMN)), "\n";

echo "by SQL, which the driver does not know of before PHP 8.4: not pinned\n";
$pdo->exec('BEGIN');
$pdo->exec('CREATE TABLE other (v)');
together(fn () => print($pdo->query('SELECT count(*) FROM other')->fetchColumn() . ", seen by others\n"));
$statement = $pdo->query('SELECT 1');
$pdo->exec('BEGIN');
$pdo->exec("INSERT INTO t VALUES ('by SQL')");
unset($statement);
echo used($pdo), implode(', ', $pdo->query('SELECT v FROM t')->fetchAll(PDO::FETCH_COLUMN)), "\n";

echo "none\n", thrown($pdo->commit(...)), thrown($pdo->rollBack(...));
$pdo->beginTransaction();
echo thrown($pdo->beginTransaction(...));
var_dump($pdo->inTransaction());
?>
--EXPECT--
bool(false)
0/0/0
bool(true)
bool(false)
2/0/2
2/0/2
committed
by SQL, which the driver does not know of before PHP 8.4: not pinned
0, seen by others
2/0/2
committed
none
PDOException: There is no active transaction
PDOException: There is no active transaction
PDOException: There is already an active transaction
bool(true)
