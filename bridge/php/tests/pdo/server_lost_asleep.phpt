--TEST--
PDO: one whose session is ended while the server sleeps for it is told, and others go on with theirs (B192 to B194, B197)
--EXTENSIONS--
pdo_pgsql
pdo_mysql
pgsql
mysqli
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

foreach ([...servers(), ...servers()] as $i => $server) {
    $isInTransaction = $i > 1;
    echo $server->name(), $isInTransaction ? ", in a transaction\n" : "\n";
    $pdo = $server->pdo([PDO::ATTR_POOL_MAX => 2]);
    $pdo->exec('CREATE TABLE t (v INTEGER)');
    $isOver = false;
    $victim = function () use ($pdo, $server, $isInTransaction, &$isOver): string {
        if ($isInTransaction) {
            $pdo->beginTransaction();
            $pdo->exec('INSERT INTO t VALUES (1)');
        }
        $keeps = $pdo->query("SELECT {$server->id()}");
        $killer = $server->killAsleep((int) $keeps->fetchColumn());
        suspend(); // the other one has its connection now
        try {
            @$pdo->query($server->sleep());
            $end = 'slept well?';
        } catch (PDOException) {
            $end = 'fails, in a transaction: ' . var_export($pdo->inTransaction(), true);
        }
        $isOver = true;
        unset($keeps);

        return "$end, then {$pdo->query('SELECT 42')->fetchColumn()}";
    };
    $other = function () use ($pdo, &$isOver): string {
        $pdo->beginTransaction();
        $pdo->exec('INSERT INTO t VALUES (2)');
        while (!$isOver) {
            suspend();
        }
        $pdo->exec('INSERT INTO t VALUES (3)');
        $pdo->commit();

        return implode(' ', $pdo->query('SELECT v FROM t ORDER BY v')->fetchAll(PDO::FETCH_COLUMN)) . ' committed';
    };
    $inLine = fn (): string => $pdo->query('SELECT 43')->fetchColumn() . ' for who stood in line';
    echo implode("\n", together($victim, $other, $inLine)), "\n";
    echo $pdo->getPool()->stats()->destroyedRefused, ' lost, ', used($pdo);
}
?>
--EXPECT--
pgsql
fails, in a transaction: false, then 42
2 3 committed
43 for who stood in line
1 lost, 1/0/1
mysql
fails, in a transaction: false, then 42
2 3 committed
43 for who stood in line
1 lost, 1/0/1
pgsql, in a transaction
fails, in a transaction: false, then 42
2 3 committed
43 for who stood in line
1 lost, 1/0/1
mysql, in a transaction
fails, in a transaction: false, then 42
2 3 committed
43 for who stood in line
1 lost, 1/0/1
