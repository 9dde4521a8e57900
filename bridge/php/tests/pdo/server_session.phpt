--TEST--
PDO: altered sessions are the user's: pin() keeps one, ATTR_POOL_RESET cleans it (B183, B214, B216, B217)
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
what is not altered costs nothing: statements of a server, for 10 coroutines
int(10)
