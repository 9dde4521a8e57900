--TEST--
PDO: a connection that is lost is never lent again, wherever it was lost (B192 to B195, B197 to B199)
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

use function Async\suspend;

foreach (servers() as $server) {
    echo $server->name(), "\n";
    $pdo = $server->pdo([PDO::ATTR_POOL_MAX => 1, PDO::ATTR_ERRMODE => PDO::ERRMODE_SILENT]);
    $pdo->exec('CREATE TABLE t (v INTEGER)');
    $count = fn () => $pdo->query('SELECT count(*) FROM t')->fetchColumn();
    $failed = fn (mixed $result): string => $result === false && $pdo->errorCode() !== '00000' ? 'fails' : 'works?';
    $next = fn (): string => together(fn () => $pdo->query('SELECT 42')->fetchColumn() . ' ' . used($pdo))[0];

    $server->kill($server->idOf($pdo));
    echo 'idle: ', used($pdo), '  ', @$failed($pdo->exec('DELETE FROM t')), ', ', used($pdo), '  ', $next();

    echo 'in a query: ', @$failed($pdo->exec($server->suicide())), ', ', used($pdo), '  ', $next();

    $pdo->beginTransaction();
    $pdo->exec('INSERT INTO t VALUES (1)');
    $server->kill($server->idOf($pdo));
    var_dump($pdo->inTransaction());
    echo 'in a transaction: ', @$failed($pdo->exec('INSERT INTO t VALUES (2)')), ', ', used($pdo);
    var_dump($pdo->inTransaction());
    echo thrown($pdo->commit(...)), thrown($pdo->rollBack(...)), $count(), ' rows, ';
    $pdo->beginTransaction();
    $pdo->exec('INSERT INTO t VALUES (3)');
    $pdo->commit();
    echo $count(), ' after one of the next, ', used($pdo);

    $pdo->beginTransaction();
    $pdo->exec('INSERT INTO t VALUES (4)');
    $server->kill($server->idOf($pdo));
    echo 'at commit: ', @$failed($pdo->commit()), ', ', used($pdo), '  ', $count(), ' rows, ', $next();

    $pdo->beginTransaction();
    $server->kill($server->idOf($pdo));
    echo 'at rollback: ', @$failed($pdo->rollBack()), ', ', used($pdo), '  ', $next();

    together(function () use ($pdo, $server): void {
        $pdo->beginTransaction();
        $server->kill($server->idOf($pdo));
    });
    echo 'unseen, when it comes back: ', used($pdo), '  ', $next();

    $old = $pdo->query('SELECT 1');
    $older = $pdo->prepare('INSERT INTO t VALUES (?)');
    $server->kill($server->idOf($pdo));
    echo 'while statements live: ', @$failed($pdo->query('SELECT 2')), ', ';
    var_dump(@$older->execute([5]));
    unset($old, $older);
    echo used($pdo), '  ', $next();

    $two = $server->pdo([PDO::ATTR_POOL_MAX => 2]);
    [$a, $b] = together(function () use ($two, $server): string {
        $statement = $two->query("SELECT {$server->id()}");
        $id = (int) $statement->fetchColumn();
        suspend();
        $server->kill($id);
        try {
            return (string) @$two->query('SELECT 1')->fetchColumn();
        } catch (PDOException $error) {
            return $error::class;
        }
    }, function () use ($two): string {
        $two->beginTransaction();
        suspend();
        suspend();

        return $two->query('SELECT 1')->fetchColumn() . ($two->commit() ? ', committed' : '');
    });
    echo "others: $a beside $b, ", used($two);
}

echo "between two rows that are not buffered\n";
$fetches = [
    'fetchAll' => fn (PDOStatement $rows) => $rows->fetchAll(),
    'fetch' => function (PDOStatement $rows): void {
        while ($rows->fetch() !== false) {
            // The next one.
        }
    },
    'fetchColumn' => function (PDOStatement $rows): void {
        while ($rows->fetchColumn() !== false) {
            // The next one.
        }
    },
    'fetchObject' => function (PDOStatement $rows): void {
        while ($rows->fetchObject() !== false) {
            // The next one.
        }
    },
    'foreach' => function (PDOStatement $rows): void {
        foreach ($rows as $row) {
            // The next one.
        }
    },
];
foreach ([0, 4] as $kept) {
    $pdo = $server->pdo([
        PDO::ATTR_POOL_MAX => 1,
        PDO::ATTR_POOL_STMT_CACHE_SIZE => $kept,
        PDO::ATTR_EMULATE_PREPARES => $kept === 0,
        PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => false,
    ]);
    foreach ($fetches as $name => $fetch) {
        $statement = $pdo->prepare("SELECT {$server->id()}, repeat('x', 1000) FROM seq_1_to_1000000");
        $statement->execute();
        $server->kill((int) $statement->fetchColumn());
        thrown(fn () => @$fetch($statement)); // PDO's fetchAll() says nothing of it
        $before = trim(used($pdo));
        unset($statement);
        echo "$name: $before, ", used($pdo);
    }
}
?>
--EXPECT--
pgsql
idle: 1/0/1
  fails, 0/0/0
  42 1/0/1
in a query: fails, 0/0/0
  42 1/0/1
bool(true)
in a transaction: fails, 0/0/0
bool(false)
PDOException: There is no active transaction
PDOException: There is no active transaction
0 rows, 1 after one of the next, 1/0/1
at commit: fails, 0/0/0
  1 rows, 42 1/0/1
at rollback: fails, 0/0/0
  42 1/0/1
unseen, when it comes back: 0/0/0
  42 1/0/1
while statements live: fails, bool(false)
0/0/0
  42 1/0/1
others: PDOException beside 1, committed, 1/0/1
mysql
idle: 1/0/1
  fails, 0/0/0
  42 1/0/1
in a query: fails, 0/0/0
  42 1/0/1
bool(true)
in a transaction: fails, 0/0/0
bool(false)
PDOException: There is no active transaction
PDOException: There is no active transaction
0 rows, 1 after one of the next, 1/0/1
at commit: fails, 0/0/0
  1 rows, 42 1/0/1
at rollback: fails, 0/0/0
  42 1/0/1
unseen, when it comes back: 0/0/0
  42 1/0/1
while statements live: fails, bool(false)
0/0/0
  42 1/0/1
others: PDOException beside 1, committed, 1/0/1
between two rows that are not buffered
fetchAll: 0/1/1, 0/0/0
fetch: 0/1/1, 0/0/0
fetchColumn: 0/1/1, 0/0/0
fetchObject: 0/1/1, 0/0/0
foreach: 0/1/1, 0/0/0
fetchAll: 0/1/1, 0/0/0
fetch: 0/1/1, 0/0/0
fetchColumn: 0/1/1, 0/0/0
fetchObject: 0/1/1, 0/0/0
foreach: 0/1/1, 0/0/0
