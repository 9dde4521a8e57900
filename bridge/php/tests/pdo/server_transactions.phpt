--TEST--
PDO: a transaction is what the server says, by whatever means it was begun (B179, B182, B184, B185)
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

foreach (servers() as $server) {
    echo $server->name(), "\n";
    $pdo = $server->pdo([PDO::ATTR_POOL_MAX => 2]);
    $pdo->exec('CREATE TABLE t (v INTEGER)');
    $count = fn () => $pdo->query('SELECT count(*) FROM t')->fetchColumn();

    together(function () use ($pdo, $count): void {
        $pdo->exec('START TRANSACTION');
        var_dump($pdo->inTransaction());
        $pdo->exec('INSERT INTO t VALUES (1)');
        echo $count(), ' for itself, ', together($count)[0], ' for others, ', used($pdo);
    });
    echo $count(), ' afterwards, ', used($pdo);

    $begin = $pdo->prepare('START TRANSACTION');
    $begin->execute();
    unset($begin);
    $pdo->exec('INSERT INTO t VALUES (2)');
    echo 'by a statement that is gone: ', used($pdo);
    var_dump($pdo->commit());
    echo $count(), ' committed, ', used($pdo);

    $pdo->exec('START TRANSACTION');
    $pdo->exec('INSERT INTO t VALUES (3)');
    $pdo->exec('ROLLBACK');
    echo $count(), ' after a rollback by SQL, ', used($pdo);

    $pdo->beginTransaction();
    $pdo->exec('INSERT INTO t VALUES (4)');
    try {
        $pdo->exec('SELECT * FROM nowhere');
    } catch (PDOException) {
        echo 'after an error: ', used($pdo);
    }
    $pdo->rollBack();
    echo $count(), ', ', used($pdo);
}
?>
--EXPECT--
pgsql
bool(true)
1 for itself, 0 for others, 1/1/2
0 afterwards, 2/0/2
by a statement that is gone: 1/1/2
bool(true)
1 committed, 2/0/2
1 after a rollback by SQL, 2/0/2
after an error: 1/1/2
1, 2/0/2
mysql
bool(true)
1 for itself, 0 for others, 1/1/2
0 afterwards, 2/0/2
by a statement that is gone: 1/1/2
bool(true)
1 committed, 2/0/2
1 after a rollback by SQL, 2/0/2
after an error: 1/1/2
1, 2/0/2
