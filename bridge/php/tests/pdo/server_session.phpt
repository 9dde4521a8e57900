--TEST--
PDO: altered sessions are the user's: pin() keeps one, ATTR_POOL_RESET cleans it (B183, B186, B214 to B217)
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

$ways = [
    'pgsql' => ["SET application_name = 'altered'", 'SHOW application_name', 'DISCARD ALL'],
    'mysql' => ["SET @name = 'altered'", 'SELECT @name', 'SET @name = NULL'],
];
foreach (servers() as $server) {
    [$alter, $look, $reset] = $ways[$server->name()];
    echo $server->name(), "\n";
    $pdo = $server->pdo([PDO::ATTR_POOL_MAX => 1]);
    $see = function () use (&$pdo, $look): string {
        return var_export((string) $pdo->query($look)->fetchColumn(), true) . "\n";
    };
    $pdo->pin();
    $pdo->exec($alter);
    $id = $server->idOf($pdo);
    echo 'pinned: ', $see();
    $pdo->unpin();
    echo 'without a reset, who is next: ', together($see)[0];
    var_dump($server->idOf($pdo) === $id);

    $pdo = $server->pdo([PDO::ATTR_POOL_MAX => 1, PDO::ATTR_POOL_RESET => $reset]);
    $id = $server->idOf($pdo);
    $pdo->pin();
    $pdo->exec($alter);
    $pdo->beginTransaction();
    echo 'pinned: ', $see();
    $pdo->unpin();
    $pdo->rollBack();
    echo 'with a reset: ', together($see)[0];
    var_dump($server->idOf($pdo) === $id);
}

echo "all of a session, left in a transaction: the rollback comes first, and what the DSN says is back\n";
[$postgres, $maria] = servers();
$alterations = [
    'pgsql' => [
        $postgres,
        'DISCARD ALL', // refused in a transaction
        [
            "SET application_name = 'altered'",
            'SET search_path TO nowhere',
            'CREATE TEMPORARY TABLE mine (v INTEGER)',
            'SELECT pg_advisory_lock(7)',
            'LISTEN news',
            'PREPARE mine AS SELECT 1',
        ],
        "SELECT current_setting('application_name'), current_setting('search_path') = '{$postgres->database}',
            to_regclass('mine') IS NULL, (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7),
            (SELECT count(*) FROM pg_listening_channels()), (SELECT count(*) FROM pg_prepared_statements WHERE name = 'mine')",
    ],
    'mysql' => [
        $maria,
        "USE {$maria->database}; SET @name = NULL, sql_mode = DEFAULT; DO RELEASE_ALL_LOCKS();"
            . 'DROP TEMPORARY TABLE IF EXISTS mine; SET NAMES utf8mb4',
        [
            "SET @name = 'altered', sql_mode = 'ANSI'",
            'CREATE TEMPORARY TABLE mine (v INTEGER)',
            "DO GET_LOCK('mine', 0)",
            'SET NAMES latin1',
            'USE information_schema',
        ],
        "SELECT @name, DATABASE() = '{$maria->database}', @@sql_mode = @@global.sql_mode, IS_FREE_LOCK('mine'),
            @@character_set_client",
    ],
];
foreach ($alterations as $name => [$server, $reset, $sql, $look]) {
    foreach ([0, 4] as $kept) {
        $pdo = $server->pdo([
            PDO::ATTR_POOL_MAX => 1,
            PDO::ATTR_POOL_RESET => $reset,
            PDO::ATTR_POOL_STMT_CACHE_SIZE => $kept,
            PDO::ATTR_EMULATE_PREPARES => false,
        ]);
        $id = $server->idOf($pdo);
        together(function () use ($pdo, $sql): void {
            $pdo->pin();
            $pdo->beginTransaction();
            array_map($pdo->exec(...), $sql);
        });
        $seen = $pdo->query($look, PDO::FETCH_NUM)->fetch();
        echo "$name: ", json_encode($seen), ' ', var_export($server->idOf($pdo) === $id, true), ', ', used($pdo);
        if ($name === 'mysql') {
            echo strtok(thrown(fn () => $pdo->query('SELECT * FROM mine')), ':'), "\n";
        }
    }
}

echo "what has come already\n";
$pdo = $postgres->pdo([PDO::ATTR_POOL_MAX => 1, PDO::ATTR_POOL_RESET => 'DISCARD ALL']);
$pdo->pin();
$pdo->exec('LISTEN news');
$postgres->admin()->exec("NOTIFY news, 'mine'");
$postgres->admin()->exec("NOTIFY news, 'mine, too'");
$pdo->unpin();
together(function () use ($pdo): void {
    $pdo->pin();
    $pdo->exec('SELECT 1');
    var_dump($pdo->pgsqlGetNotify(PDO::FETCH_ASSOC, 0));
});

echo "what is not altered costs nothing: statements of a server, for 10 coroutines\n";
$pdo = (new MariaDb())->pdo([PDO::ATTR_POOL_MAX => 1]);
$asked = fn () => (int) $pdo->query("SHOW SESSION STATUS LIKE 'Questions'")->fetchColumn(1);
$before = $asked();
together(...array_fill(0, 10, fn () => $pdo->query('SELECT 1')->fetchColumn()));
var_dump($asked() - $before - 1);
?>
--EXPECT--
pgsql
pinned: 'altered'
without a reset, who is next: 'altered'
bool(true)
pinned: 'altered'
with a reset: ''
bool(true)
mysql
pinned: 'altered'
without a reset, who is next: 'altered'
bool(true)
pinned: 'altered'
with a reset: ''
bool(true)
all of a session, left in a transaction: the rollback comes first, and what the DSN says is back
pgsql: ["",true,true,0,0,0] true, 1/0/1
pgsql: ["",true,true,0,0,0] true, 1/0/1
mysql: [null,1,1,1,"utf8mb4"] true, 1/0/1
PDOException
mysql: [null,1,1,1,"utf8mb4"] true, 1/0/1
PDOException
what has come already
bool(false)
what is not altered costs nothing: statements of a server, for 10 coroutines
int(10)
