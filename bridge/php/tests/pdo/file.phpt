--TEST--
PDO: one SQLite file, readers and writers in many coroutines (B204, B223)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

use function Async\suspend;

$pdo = sqlite([PDO::ATTR_POOL_MAX => 4, PDO::ATTR_TIMEOUT => 0]);
$pdo->exec('PRAGMA journal_mode = WAL');
$pdo->exec('CREATE TABLE t (v)');
$pdo->exec('INSERT INTO t VALUES (1), (2), (3), (4), (5)');

// A driver that waits for a lock stops whoever has it, so who writes does not wait in its transaction.
$write = function () use ($pdo): int {
    suspend();
    $pdo->beginTransaction();
    $pdo->exec('INSERT INTO t VALUES (0)');
    $pdo->commit();

    return 1;
};
$read = function () use ($pdo): int {
    $statement = $pdo->query('SELECT v FROM t WHERE v > 0');
    suspend();

    return count($statement->fetchAll());
};
echo implode(' ', together($write, $write, $write, $write)), "\n";
echo implode(' ', together($read, $write)), "\n";
echo implode(' ', together($read, $read, $read, $read)), "\n";
echo implode(' ', together($write, $read, $write, $read, $write, $read)), "\n";
var_dump($pdo->query('SELECT count(*) FROM t')->fetchColumn());
echo $pdo->getPool()->count() <= 4 ? '' : used($pdo), $pdo->getPool()->activeCount(), " in use\n";
?>
--EXPECT--
1 1 1 1
5 1
5 5 5 5
1 5 1 5 1 5
int(13)
0 in use
