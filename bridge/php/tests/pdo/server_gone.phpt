--TEST--
PDO: the servers end, whatever was going on: everything fails by a PDOException, nothing hangs, nothing is left (B202)
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
putenv('ASYNCPOOL_SERVERS='); // servers of its own, which it ends
require __DIR__ . '/servers.inc';

use Async\PDO;

use function Async\await;
use function Async\spawn;
use function Async\suspend;

$isDown = false;
$waitsForTheEnd = function () use (&$isDown): void {
    while (!$isDown) {
        suspend();
    }
};
$all = [];
foreach (servers() as $server) {
    $pdo = $server->pdo([PDO::ATTR_POOL_MAX => 4, PDO::ATTR_POOL_STMT_CACHE_SIZE => 4, PDO::ATTR_EMULATE_PREPARES => false]);
    $pdo->exec('CREATE TABLE t (v INTEGER)');
    $uses = [
        'in a transaction' => function () use ($pdo, $waitsForTheEnd): void {
            $pdo->beginTransaction();
            $waitsForTheEnd();
            $pdo->exec('INSERT INTO t VALUES (1)');
        },
        'at commit' => function () use ($pdo, $waitsForTheEnd): void {
            $pdo->beginTransaction();
            $pdo->exec('INSERT INTO t VALUES (2)');
            $waitsForTheEnd();
            $pdo->commit();
        },
        'by a kept statement' => function () use ($pdo, $waitsForTheEnd): void {
            $insert = $pdo->prepare('INSERT INTO t VALUES (?)');
            $insert->execute([3]);
            $waitsForTheEnd();
            $insert->execute([4]);
        },
        'pinned, and silent' => function () use ($server, $waitsForTheEnd): void {
            $silent = $server->pdo([PDO::ATTR_ERRMODE => PDO::ERRMODE_SILENT]);
            $silent->pin();
            $silent->exec('INSERT INTO t VALUES (5)');
            $waitsForTheEnd();
            if ($silent->exec('INSERT INTO t VALUES (6)') !== false || used($silent) !== "0/0/0\n") {
                echo 'not lost? ', used($silent);
            }
            $silent->exec('SELECT 1'); // it connects anew, which throws as ever
        },
        'idle' => function () use ($pdo, $waitsForTheEnd): void {
            $held = $pdo->query('SELECT 1');
            unset($held);
            $waitsForTheEnd();
            $pdo->exec('INSERT INTO t VALUES (7)');
        },
        'in line' => function () use ($pdo, $waitsForTheEnd): void {
            $waitsForTheEnd();
            suspend();
            $pdo->query('SELECT 1');
        },
    ];
    $all[$server->name()] = [$pdo, array_map(spawn(...), $uses)];
}
for ($turns = 0; $turns < 5; $turns++) {
    suspend();
}
Server::stop();
$isDown = true;
foreach ($all as $name => [$pdo, $coroutines]) {
    foreach ($coroutines as $use => $coroutine) {
        echo "$name, $use: ", strtok(thrown(fn () => @await($coroutine)), ':'), "\n";
    }
    echo strtok(thrown(fn () => @$pdo->query('SELECT 1')), ':'), ', ', used($pdo);
}
unset($all, $pdo, $uses, $coroutines, $coroutine);
echo live(), " pools left\n";
?>
--EXPECT--
pgsql, in a transaction: PDOException
pgsql, at commit: PDOException
pgsql, by a kept statement: PDOException
pgsql, pinned, and silent: PDOException
pgsql, idle: PDOException
pgsql, in line: PDOException
PDOException, 0/0/0
mysql, in a transaction: PDOException
mysql, at commit: PDOException
mysql, by a kept statement: PDOException
mysql, pinned, and silent: PDOException
mysql, idle: PDOException
mysql, in line: PDOException
PDOException, 0/0/0
0 pools left
