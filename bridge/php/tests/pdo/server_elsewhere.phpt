--TEST--
PDO: with a server, too, a statement works where it was made, and a closed pool says what to do
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
    foreach ([0, 4] as $kept) {
        echo $server->name(), $kept > 0 ? ", kept statements\n" : "\n";
        $pdo = $server->pdo([
            PDO::ATTR_POOL_MAX => 2,
            PDO::ATTR_POOL_STMT_CACHE_SIZE => $kept,
            PDO::ATTR_EMULATE_PREPARES => false,
        ]);
        $pdo->exec('DROP TABLE IF EXISTS t');
        $pdo->exec('CREATE TABLE t (v INTEGER)');

        $pdo->beginTransaction();
        $insert = $pdo->prepare('INSERT INTO t VALUES (?)');
        together(function () use ($pdo, $insert): void {
            $insert->execute([1]);
            echo var_export($pdo->inTransaction(), true), ', ', $pdo->query('SELECT count(*) FROM t')->fetchColumn(), ' seen here, ';
        });
        echo $pdo->query('SELECT count(*) FROM t')->fetchColumn(), " there\n";
        $pdo->rollBack();
        unset($insert);

        [$rows] = together(fn () => $pdo->query('SELECT 1 UNION ALL SELECT 2'));
        echo 'after the end of its coroutine: ', implode(', ', $rows->fetchAll(PDO::FETCH_COLUMN)), ', ', used($pdo);
        unset($rows);

        [$lost] = together(fn () => $pdo->prepare('INSERT INTO t VALUES (?)'));
        $held = $pdo->query("SELECT {$server->id()}");
        $own = (int) $held->fetchColumn();
        foreach ($pdo->getPool()->lends() as $lend) {
            $id = (int) $lend->resource->query("SELECT {$server->id()}")->fetchColumn();
            $id === $own || $server->kill($id); // the other one's
        }
        echo 'lost in the hands of another: ', strtok(thrown(fn () => @$lost->execute([1])), ':'), ', ';
        echo $pdo->query('SELECT 42')->fetchColumn(), ' goes on';
        unset($lost, $held);
        echo ', ', used($pdo);

        $statement = $pdo->prepare('SELECT CAST(? AS CHAR(1))');
        $pdo->getPool()->close();
        $statement->execute([7]);
        echo $statement->fetchColumn(), ' on the connection that it has, ', used($pdo);
        unset($statement);
        echo used($pdo), thrown(fn () => $pdo->exec('SELECT 1'));
    }
}
?>
--EXPECT--
pgsql
false, 0 seen here, 1 there
after the end of its coroutine: 1, 2, 1/1/2
lost in the hands of another: PDOException, 42 goes on, 1/0/1
7 on the connection that it has, 0/1/1
0/0/0
PDOException: The pool of this PDO was closed: make a new Async\PDO < Async\PoolException: Pool is closed
pgsql, kept statements
false, 0 seen here, 1 there
after the end of its coroutine: 1, 2, 1/1/2
lost in the hands of another: PDOException, 42 goes on, 1/0/1
7 on the connection that it has, 0/1/1
0/0/0
PDOException: The pool of this PDO was closed: make a new Async\PDO < Async\PoolException: Pool is closed
mysql
false, 0 seen here, 1 there
after the end of its coroutine: 1, 2, 1/1/2
lost in the hands of another: PDOException, 42 goes on, 1/0/1
7 on the connection that it has, 0/1/1
0/0/0
PDOException: The pool of this PDO was closed: make a new Async\PDO < Async\PoolException: Pool is closed
mysql, kept statements
false, 0 seen here, 1 there
after the end of its coroutine: 1, 2, 1/1/2
lost in the hands of another: PDOException, 42 goes on, 1/0/1
7 on the connection that it has, 0/1/1
0/0/0
PDOException: The pool of this PDO was closed: make a new Async\PDO < Async\PoolException: Pool is closed
