--TEST--
PDO: contexts have sessions of their own on a server, and attributes reach each (B165, B168 to B171, B173)
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
    $pdo = $server->pdo([PDO::ATTR_POOL_MAX => 5]);
    echo used($pdo);
    [$a, $b] = together(...array_fill(0, 2, function () use ($pdo, $server): array {
        $keeps = $pdo->query('SELECT 1');
        $ids[] = $server->idOf($pdo);
        suspend();
        $ids[] = $server->idOf($pdo);

        return $ids;
    }));
    var_dump($a[0] !== $b[0], $a[0] === $a[1], $b[0] === $b[1]);
    echo used($pdo);

    $pdo->exec('CREATE TABLE t (v INTEGER)');
    together(...array_map(fn (int $i) => function () use ($pdo, $i): void {
        $insert = $pdo->prepare('INSERT INTO t VALUES (?)');
        suspend();
        $insert->execute([$i]);
    }, range(1, 30)));
    echo implode(', ', $pdo->query('SELECT count(*), sum(v) FROM t')->fetch(PDO::FETCH_NUM)), ', ', used($pdo);
}

echo "an attribute of the session\n";
$pdo = (new MariaDb())->pdo([PDO::ATTR_POOL_MAX => 4]);
$pdo->exec('CREATE TABLE t (v INTEGER)');
$pdo->setAttribute(PDO::ATTR_AUTOCOMMIT, false);
echo implode(' ', together(...array_fill(0, 4, function () use ($pdo): string {
    $statement = $pdo->query('SELECT @@autocommit');
    suspend();

    return (string) $statement->fetchColumn();
}))), ' ', var_export($pdo->getAttribute(PDO::ATTR_AUTOCOMMIT), true), "\n";
together(function () use ($pdo): void {
    $pdo->exec('INSERT INTO t VALUES (1)');
    echo 'without autocommit each statement begins a transaction: ', used($pdo);
});
echo $pdo->query('SELECT count(*) FROM t')->fetchColumn(), " rows\n";
$pdo->commit();
echo used($pdo);
?>
--EXPECT--
pgsql
0/0/0
bool(true)
bool(true)
bool(true)
2/0/2
30, 465, 5/0/5
mysql
0/0/0
bool(true)
bool(true)
bool(true)
2/0/2
30, 465, 5/0/5
an attribute of the session
0 0 0 0 0
without autocommit each statement begins a transaction: 3/1/4
0 rows
4/0/4
