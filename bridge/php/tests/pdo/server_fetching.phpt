--TEST--
PDO: rows, LOBs, cursors, several results and half-read ones are as with PDO, and hinder nobody (B175, B178)
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

/** A program of PDO; it knows of nothing else. */
function program(\PDO $pdo, bool $isPostgres): array
{
    $blob = $isPostgres ? 'BYTEA' : 'BLOB';
    $pdo->exec('DROP TABLE IF EXISTS t');
    $pdo->exec("CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR(20), data $blob)");
    $insert = $pdo->prepare('INSERT INTO t VALUES (:id, :v, :data)');
    $id = 1;
    $data = fopen('php://memory', 'w+');
    fwrite($data, "\0binary");
    rewind($data);
    $insert->bindParam('id', $id, PDO::PARAM_INT);
    $insert->bindValue('v', 'first');
    $insert->bindParam('data', $data, PDO::PARAM_LOB);
    $seen[] = $insert->execute();
    $id = 2;
    $data = null;
    $seen[] = $insert->execute() . $insert->rowCount();
    foreach ($pdo->query('SELECT id, v FROM t ORDER BY id', PDO::FETCH_ASSOC) as $row) {
        $seen[] = $row;
    }
    $select = $pdo->prepare('SELECT data, id FROM t WHERE id = ?');
    $select->bindColumn(1, $lob, PDO::PARAM_LOB);
    $select->execute([1]);
    $select->fetch(PDO::FETCH_BOUND);
    $seen[] = bin2hex(is_resource($lob) ? stream_get_contents($lob) : $lob);
    $seen[] = $pdo->query('SELECT id, v FROM t ORDER BY id')->fetchAll(PDO::FETCH_KEY_PAIR);
    $seen[] = (array) $pdo->query('SELECT id, v FROM t ORDER BY id')->fetchObject();
    $seen[] = $pdo->query('SELECT v FROM t ORDER BY id')->fetch(PDO::FETCH_LAZY)->v;
    $seen[] = $select->getColumnMeta(1)['name'];
    if ($isPostgres) {
        $pdo->beginTransaction();
        $cursor = $pdo->prepare('SELECT id FROM t ORDER BY id', [PDO::ATTR_CURSOR => PDO::CURSOR_SCROLL]);
        $cursor->execute();
        $seen[] = $cursor->fetch(PDO::FETCH_NUM, PDO::FETCH_ORI_LAST);
        $seen[] = $cursor->fetch(PDO::FETCH_NUM, PDO::FETCH_ORI_PRIOR);
        unset($cursor);
        $pdo->commit();
    } else {
        $both = $pdo->query('SELECT 1; SELECT 2 AS second');
        $seen[] = $both->fetchAll(PDO::FETCH_NUM);
        $seen[] = $both->nextRowset();
        $seen[] = $both->fetchAll(PDO::FETCH_ASSOC);
        $seen[] = $both->nextRowset();
    }

    return $seen;
}

foreach (servers() as $server) {
    $native = program($server->native(), $server instanceof Postgres);
    $pooled = program($pdo = $server->pdo(), $server instanceof Postgres);
    foreach ($native as $i => $seen) {
        if ($seen !== $pooled[$i]) {
            echo "PDO: ", print_r($seen, true), "Async\\PDO: ", print_r($pooled[$i], true);
        }
    }
    echo $server->name(), ': ', count($pooled), ' of ', count($native), ', ', used($pdo);
}

echo "half read, and not buffered\n";
$pdo = $server->pdo([PDO::ATTR_POOL_MAX => 1, PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => false]);
$numbers = 'SELECT seq FROM seq_1_to_100000';
$statement = $pdo->query($numbers);
echo $statement->fetchColumn(), ' of many, ', used($pdo);
unset($statement);
echo together(fn () => $pdo->query('SELECT 42')->fetchColumn())[0], ' for the next, ', used($pdo);
$prepared = $pdo->prepare($numbers, [PDO::ATTR_EMULATE_PREPARES => false]);
$prepared->execute();
$prepared->fetch();
unset($prepared);
echo together(fn () => $pdo->query('SELECT 43')->fetchColumn())[0], ' for the next, ', used($pdo);
echo "what exec() leaves unread\n";
$pdo->pin();
var_dump($pdo->exec('SELECT 1; SELECT 2'), $pdo->exec('SHOW DATABASES'));
$pdo->exec('CREATE TABLE u (v INTEGER)');
var_dump($pdo->exec('INSERT INTO u SELECT seq FROM seq_1_to_3'), $pdo->exec('UPDATE u SET v = 7; DELETE FROM u LIMIT 2'));
echo $pdo->query('SELECT 3')->fetchColumn(), "\n";
$pdo->unpin();
echo used($pdo);
?>
--EXPECT--
pgsql: 11 of 11, 1/0/1
mysql: 13 of 13, 1/0/1
half read, and not buffered
1 of many, 0/1/1
42 for the next, 1/0/1
43 for the next, 1/0/1
what exec() leaves unread
int(0)
int(0)
int(3)
int(3)
3
1/0/1
