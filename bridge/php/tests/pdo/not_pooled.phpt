--TEST--
PDO: without a pool it is a PDO with one connection for all (B157, B162)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

$pdo = new PDO('sqlite::memory:', null, null, [PDO::ATTR_POOL_ENABLED => false]);
var_dump($pdo->getPool());
foreach ([PDO::ATTR_POOL_ENABLED, PDO::ATTR_POOL_MIN, PDO::ATTR_POOL_MAX] as $attribute) {
    var_dump($pdo->getAttribute($attribute));
}
$pdo->exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
$pdo->pin();
$pdo->unpin(); // there is no other connection
$pdo->beginTransaction();
together(fn () => $pdo->prepare('INSERT INTO t (v) VALUES (?)')->execute(['from a coroutine']));
var_dump(together($pdo->inTransaction(...))[0], $pdo->lastInsertId());
$pdo->commit();
var_dump($pdo->query('SELECT v FROM t')->fetchColumn());
try {
    $pdo->exec('no SQL');
} catch (PDOException $error) {
    echo $error->getMessage(), "\n";
}
echo $pdo->errorCode(), "\n";
unset($pdo);

$persistent = new PDO(sqliteFile(), null, null, [PDO::ATTR_POOL_ENABLED => false, PDO::ATTR_PERSISTENT => true]);
var_dump($persistent->query('SELECT 1')->fetchColumn(), $persistent->getAttribute(PDO::ATTR_PERSISTENT));
?>
--EXPECT--
NULL
bool(false)
bool(false)
bool(false)
bool(true)
string(1) "1"
string(16) "from a coroutine"
SQLSTATE[HY000]: General error: 1 near "no": syntax error
HY000
int(1)
bool(true)
