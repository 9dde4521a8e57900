--TEST--
PDO: who cannot connect is told where a connection is needed (B164, B166, B202)
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
    foreach ([
        'no such database' => [$server->dsn(false), $server->user()],
        'no such user' => [$server->dsn(), 'nobody_here'],
        'no server' => [preg_replace('~=/[^;]*~', '=/no/such/folder', $server->dsn()), $server->user()],
    ] as $what => [$dsn, $user]) {
        $pdo = new PDO($dsn, $user, 'wrong', [PDO::ATTR_POOL_MAX => 2, PDO::ATTR_ERRMODE => PDO::ERRMODE_SILENT]);
        $ends = together(...array_fill(0, 3, function () use ($pdo): string {
            try {
                return (string) $pdo->query('SELECT 1')->fetchColumn();
            } catch (PDOException $error) {
                return $error::class;
            }
        }));
        echo "  $what: ", implode(' ', $ends), ', ', used($pdo);
        $min = fn () => new PDO($dsn, $user, 'wrong', [PDO::ATTR_POOL_MIN => 1]);
        echo strstr(thrown($min), ':', true), " for one that is made up front\n";
    }
}

echo "options are each connection's\n";
$tls = (new MariaDb())->pdo([PDO::MYSQL_ATTR_SSL_CA => '/no/such/file', PDO::MYSQL_ATTR_SSL_VERIFY_SERVER_CERT => true]);
try {
    @$tls->query('SELECT 1');
} catch (PDOException) {
    echo "no connection without TLS\n";
}
$single = (new MariaDb())->pdo([PDO::MYSQL_ATTR_MULTI_STATEMENTS => false]);
try {
    $single->query('SELECT 1; SELECT 2');
} catch (PDOException $error) {
    echo $error->getCode(), ", one statement only\n";
}
?>
--EXPECT--
pgsql
  no such database: PDOException PDOException PDOException, 0/0/0
PDOException for one that is made up front
  no such user: PDOException PDOException PDOException, 0/0/0
PDOException for one that is made up front
  no server: PDOException PDOException PDOException, 0/0/0
PDOException for one that is made up front
mysql
  no such database: PDOException PDOException PDOException, 0/0/0
PDOException for one that is made up front
  no such user: PDOException PDOException PDOException, 0/0/0
PDOException for one that is made up front
  no server: PDOException PDOException PDOException, 0/0/0
PDOException for one that is made up front
options are each connection's
no connection without TLS
42000, one statement only
