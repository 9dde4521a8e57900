--TEST--
PDO: the healthcheck finds what was ended while idle, and hooks of the pool are given a PDO (B195)
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

use function Async\delay;

foreach (servers() as $server) {
    echo $server->name(), "\n";
    $pdo = $server->pdo([PDO::ATTR_POOL_HEALTHCHECK_INTERVAL => 1, PDO::ATTR_ERRMODE => PDO::ERRMODE_WARNING]);
    $id = $server->idOf($pdo);
    delay(5);
    var_dump($server->idOf($pdo) === $id); // it has survived some
    $server->kill($id);
    while ($pdo->getPool()->count() > 0) {
        @delay(1);
    }
    var_dump($server->idOf($pdo) !== $id);
    unset($pdo);

    $asked = 0;
    $probed = $server->pdo([PDO::ATTR_POOL_MAX => 1, PDO::ATTR_POOL_OPTIONS => [
        'beforeAcquire' => function (\PDO $connection) use (&$asked): bool {
            $asked++;

            return (bool) @$connection->query('SELECT 1');
        },
    ]]);
    $id = $server->idOf($probed);
    $server->kill($id);
    var_dump($server->idOf($probed) !== $id, $asked);
    unset($probed);
    echo live(), " pools left\n";
}
?>
--EXPECT--
pgsql
bool(true)
bool(true)
bool(true)
int(1)
0 pools left
mysql
bool(true)
bool(true)
bool(true)
int(1)
0 pools left
