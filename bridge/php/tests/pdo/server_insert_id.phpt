--TEST--
PDO: lastInsertId() and getWarningCount() with a server (B211 to B213)
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

[$postgres, $maria] = servers();
$mysql = $maria->pdo([PDO::ATTR_POOL_MAX => 1]);
$mysql->exec('CREATE TABLE t (id INTEGER PRIMARY KEY AUTO_INCREMENT, v TINYINT)');
$mysql->exec('INSERT INTO t (v) VALUES (1)');
var_dump($mysql->lastInsertId());
$insert = $mysql->prepare('INSERT INTO t (v) VALUES (?)');
$insert->execute([2]);
var_dump($mysql->lastInsertId());
unset($insert);
var_dump($mysql->lastInsertId());
together(fn () => var_dump($mysql->lastInsertId()));
$mysql->exec('UPDATE t SET id = LAST_INSERT_ID(id + 40) WHERE v = 1');
var_dump($mysql->lastInsertId());

echo "warnings\n";
var_dump($mysql->getWarningCount());
$statement = $mysql->query("SELECT 'x' + 1");
$statement->fetchAll();
var_dump($mysql->getWarningCount());
unset($statement);
var_dump($mysql->getWarningCount());
$mysql->beginTransaction();
$mysql->query("SELECT 'x' + 1")->fetchAll();
var_dump($mysql->getWarningCount());
$mysql->commit();

$silent = $maria->pdo([PDO::ATTR_ERRMODE => PDO::ERRMODE_SILENT, PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => false]);
$half = $silent->query("SELECT seq, 'x' + 1 FROM seq_1_to_1000");
$half->fetch();
var_dump($silent->getWarningCount()); // it cannot be asked for between two rows
unset($half);

echo "PostgreSQL\n";
$pgsql = $postgres->pdo([PDO::ATTR_POOL_MAX => 1]);
$pgsql->exec('CREATE TABLE t (id SERIAL, v INTEGER)');
$pgsql->exec('INSERT INTO t (v) VALUES (1)');
var_dump($pgsql->lastInsertId());
$pgsql->beginTransaction();
$pgsql->exec('INSERT INTO t (v) VALUES (2)');
var_dump($pgsql->lastInsertId(), $pgsql->lastInsertId('t_id_seq'));
$pgsql->commit();
var_dump($pgsql->lastInsertId());
var_dump($pgsql->query('INSERT INTO t (v) VALUES (3) RETURNING id')->fetchColumn());
echo used($mysql), used($pgsql);
?>
--EXPECT--
string(1) "1"
string(1) "2"
string(1) "2"
string(1) "0"
string(2) "41"
warnings
int(0)
int(1)
int(0)
int(1)
int(0)
PostgreSQL
bool(false)
string(1) "2"
string(1) "2"
bool(false)
int(3)
1/0/1
1/0/1
