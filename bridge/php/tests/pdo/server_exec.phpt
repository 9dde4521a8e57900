--TEST--
PDO: exec() is as with PDO, whether statements are prepared by the server or not, and leaves nothing unread (B175, B209)
--EXTENSIONS--
pdo_pgsql
pdo_mysql
--SKIPIF--
<?php
require __DIR__ . '/servers.inc';
skipWithoutServers('mysql');
?>
--FILE--
<?php
require __DIR__ . '/servers.inc';

use Async\PDO;

$server = new MariaDb();
$server->native()->exec('CREATE TABLE t (id INTEGER PRIMARY KEY)');
$texts = [
    'INSERT INTO t SELECT 1; DELETE FROM t',
    'INSERT INTO t VALUES (1), (2); UPDATE t SET id = id + 1 ORDER BY id DESC',
    'CREATE OR REPLACE PROCEDURE p() BEGIN l: LOOP SELECT 1; LEAVE l; END LOOP; END',
    "INSERT INTO t SELECT 40 + char_length('?:a')",
    'INSERT INTO t SELECT seq FROM nowhere',
    'DELETE FROM t; INSERT INTO t SELECT 1; INSERT INTO t SELECT 1',
];
foreach ([true, false] as $emulates) {
    foreach ([PDO::ERRMODE_SILENT, PDO::ERRMODE_EXCEPTION] as $mode) {
        $options = [PDO::ATTR_EMULATE_PREPARES => $emulates, PDO::ATTR_ERRMODE => $mode];
        $native = $server->native($options);
        $pooled = $server->pdo($options + [PDO::ATTR_POOL_MAX => 1]);
        foreach ($texts as $sql) {
            $outcomes = [];
            foreach ([$native, $pooled] as $pdo) {
                $native->exec('DELETE FROM t');
                $thrown = '';
                $count = null;
                try {
                    $count = $pdo->exec($sql);
                } catch (PDOException $error) {
                    $thrown = json_encode($error->errorInfo);
                }
                $outcomes[] = json_encode([$count, $thrown, $pdo->errorCode(), $pdo->errorInfo()]);
            }
            if ($outcomes[0] !== $outcomes[1]) {
                echo "$sql: $outcomes[0], and with a pool $outcomes[1]\n";
            }
        }
        $server->native()->exec('DELETE FROM t');
        foreach (['SELECT 1; SELECT 2', 'CALL p()', 'SHOW TABLES'] as $rows) { // PDO's own connection is stuck then
            echo $pooled->exec($rows), $pooled->query('SELECT count(*) FROM t')->fetchColumn(), ' ';
        }
        var_dump((bool) $pooled->getAttribute(PDO::ATTR_EMULATE_PREPARES) === $emulates);
        echo used($pooled);
        thrown(fn () => @$pooled->exec("SELECT 1; {$server->suicide()}"));
        echo 'lost after its first result: ', used($pooled);
    }
}
?>
--EXPECT--
00 00 00 bool(true)
1/0/1
lost after its first result: 0/0/0
00 00 00 bool(true)
1/0/1
lost after its first result: 0/0/0
00 00 00 bool(true)
1/0/1
lost after its first result: 0/0/0
00 00 00 bool(true)
1/0/1
lost after its first result: 0/0/0
