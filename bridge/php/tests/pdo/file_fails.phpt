--TEST--
PDO: a file of SQLite that is locked, is none, or cannot be written fails as with PDO, and the next one has a clean connection (B185, B200, B202)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

/** What is thrown, without what differs. */
$fails = fn (Closure $try): string => preg_replace('/.*: /', '', thrown($try));

$dsn = sqliteFile();
$pdo = new PDO($dsn, null, null, [PDO::ATTR_TIMEOUT => 0, PDO::ATTR_POOL_MAX => 1]);
$pdo->exec('CREATE TABLE t (v)');
$other = new \PDO($dsn, null, null, [PDO::ATTR_TIMEOUT => 0]);
$next = fn (): string => together(fn () => $pdo->query('SELECT count(*) FROM t')->fetchColumn() . ' rows, ' . trim(used($pdo)))[0] . "\n";

$other->exec('BEGIN EXCLUSIVE');
echo 'locked: ', $fails(fn () => $pdo->exec('INSERT INTO t VALUES (1)'));
$pdo->beginTransaction();
echo 'in a transaction: ', $fails(fn () => $pdo->exec('INSERT INTO t VALUES (1)'));
var_dump($pdo->inTransaction());
$pdo->rollBack();
$other->exec('ROLLBACK');
echo $next();

$reads = $other->query('SELECT 1 FROM t UNION SELECT 2'); // a reader keeps others from committing
together(function () use ($pdo, $fails): void {
    $pdo->beginTransaction();
    $pdo->exec('INSERT INTO t VALUES (1)');
    echo 'at commit: ', $fails($pdo->commit(...));
    var_dump($pdo->inTransaction()); // as with PDO: it may be tried again
});
unset($reads);
echo $next();

$pdo->exec('CREATE TABLE parents (id INTEGER PRIMARY KEY)');
$pdo->exec('CREATE TABLE children (id REFERENCES parents DEFERRABLE INITIALLY DEFERRED)');
together(function () use ($pdo, $fails): void {
    $pdo->pin();
    $pdo->exec('PRAGMA foreign_keys = ON');
    $pdo->beginTransaction();
    $pdo->exec('INSERT INTO children VALUES (7)');
    echo 'refused at commit: ', $fails($pdo->commit(...));
});
echo $next(), $pdo->query('SELECT count(*) FROM children')->fetchColumn(), "\n";

$file = substr(sqliteFile(), strlen('sqlite:'));
file_put_contents($file, str_repeat('no database ', 100));
$none = new PDO("sqlite:$file", null, null, [PDO::ATTR_POOL_MAX => 1]);
foreach (['exec', 'query', 'prepare'] as $method) {
    echo "$method: ", $fails(fn () => $none->$method('SELECT count(*) FROM sqlite_master'));
}
echo used($none);
unlink($file);
$anew = new PDO("sqlite:$file");
echo $anew->query('SELECT count(*) FROM sqlite_master')->fetchColumn(), "\n";

$reader = new PDO($dsn, null, null, [PDO::SQLITE_ATTR_OPEN_FLAGS => PDO::SQLITE_OPEN_READONLY, PDO::ATTR_POOL_MAX => 1]);
echo $fails(fn () => $reader->exec('INSERT INTO t VALUES (1)'));
echo $reader->query('SELECT count(*) FROM t')->fetchColumn(), ' rows, ', used($reader);
?>
--EXPECT--
locked: 5 database is locked
in a transaction: 5 database is locked
bool(true)
0 rows, 1/0/1
at commit: 5 database is locked
bool(true)
0 rows, 1/0/1
refused at commit: 19 FOREIGN KEY constraint failed
0 rows, 1/0/1
0
exec: 26 file is not a database
query: 26 file is not a database
prepare: 26 file is not a database
1/0/1
0
8 attempt to write a readonly database
0 rows, 1/0/1
