--TEST--
PDO: the drivers' own methods work on a connection that is kept, or say so (B222)
--EXTENSIONS--
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php
require __DIR__ . '/servers.inc';
skipWithoutServers();
?>
--FILE--
<?php
require __DIR__ . '/servers.inc';

use Async\PDO;

$pdo = (new Postgres())->pdo([PDO::ATTR_POOL_MAX => 2]);
$pdo->exec('CREATE TABLE t (v TEXT)');
var_dump($pdo->pgsqlCopyFromArray('t', ['a', 'b']), $pdo->copyFromArray('t', ['c']));
echo implode($pdo->pgsqlCopyToArray('t')), used($pdo);
$file = tempnam(sys_get_temp_dir(), 'asyncpool-');
var_dump($pdo->copyToFile('t', $file), $pdo->pgsqlCopyFromFile('t', $file));
unlink($file);
echo $pdo->query('SELECT count(*) FROM t')->fetchColumn(), ' rows, ', $pdo->escapeIdentifier('a "b"'), "\n";

foreach (['pgsqlGetNotify', 'getPid', 'pgsqlLOBCreate'] as $method) {
    echo thrown($pdo->$method(...));
}
$pdo->pin();
var_dump($pdo->getPid() === $pdo->query('SELECT pg_backend_pid()')->fetchColumn());
$pdo->exec('LISTEN news');
together(fn () => $pdo->exec("NOTIFY news, 'hello'"));
$news = $pdo->pgsqlGetNotify(PDO::FETCH_ASSOC, 10000);
echo $news['message'], ' ', $news['payload'], "\n";
$pdo->unpin();

$pdo->beginTransaction();
$oid = $pdo->pgsqlLOBCreate();
fwrite($pdo->pgsqlLOBOpen($oid, 'w'), 'large');
echo stream_get_contents($pdo->lobOpen($oid)), "\n";
$pdo->pgsqlLOBUnlink($oid);
$pdo->rollBack();
echo thrown(fn () => $pdo->setNoticeCallback(null));
echo thrown(fn () => $pdo->sqliteCreateFunction('f', strlen(...)));
echo used($pdo);
?>
--EXPECT--
bool(true)
bool(true)
a
b
c
1/0/1
bool(true)
bool(true)
6 rows, "a ""b"""
PDOException: pgsqlGetNotify() belongs to one connection: call pin() before, or begin a transaction
PDOException: getPid() belongs to one connection: call pin() before, or begin a transaction
PDOException: pgsqlLOBCreate() belongs to one connection: call pin() before, or begin a transaction
bool(true)
news hello
large
PDOException: setNoticeCallback() belongs to one connection, and this PDO has many: open a \PDO of your own for it
Error: Call to undefined method Async\PDO::sqliteCreateFunction()
2/0/2
