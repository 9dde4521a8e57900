--TEST--
PDO: without a pool any driver of PHP will do, with what it can and cannot (B157)
--EXTENSIONS--
pdo_odbc
--SKIPIF--
<?php
if (glob('/usr/lib/*/odbc/libsqlite3odbc.so') === []) {
    echo "skip SQLite's driver for ODBC is not installed (Debian: libsqliteodbc)\n";
}
?>
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

$dsn = str_replace('sqlite:', 'odbc:Driver=' . glob('/usr/lib/*/odbc/libsqlite3odbc.so')[0] . ';Database=', sqliteFile());
$pdo = new PDO($dsn, null, null, [PDO::ATTR_POOL_ENABLED => false]);
var_dump($pdo->getPool(), $pdo->getAttribute(PDO::ATTR_DRIVER_NAME));
$pdo->exec('CREATE TABLE t (v INTEGER)');
$pdo->beginTransaction();
together(fn () => $pdo->prepare('INSERT INTO t VALUES (?)')->execute([7]));
var_dump($pdo->inTransaction(), $pdo->commit(), (int) $pdo->query('SELECT v FROM t')->fetchColumn());
echo thrown($pdo->lastInsertId(...)); // PDO's own
echo thrown(fn () => $pdo->exec('INSERT INTO nowhere VALUES (1)')) === "nothing thrown\n" ? 'no error?' : $pdo->errorCode(), "\n";
$pdo->exec('INSERT INTO t VALUES (8)');
var_dump($pdo->errorCode(), (int) $pdo->query('SELECT sum(v) FROM t')->fetchColumn());
?>
--EXPECT--
NULL
string(4) "odbc"
bool(true)
bool(true)
int(7)
PDOException: SQLSTATE[IM001]: Driver does not support this function: driver does not support lastInsertId()
HY000
string(5) "00000"
int(15)
