--TEST--
PDO: the user's hook is asked about what is clean by then, and about nothing that is lost; what a reset undoes is set again (B165, B186, B215)
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
    $asked = [];
    $ask = function (\PDO $connection) use (&$asked, $look): bool {
        $asked[] = ($connection->inTransaction() ? 'in a transaction' : 'in none')
            . ((string) $connection->query($look)->fetchColumn() === 'altered' ? ', altered' : ', clean');

        return true;
    };
    $make = fn (string $reset): PDO => $server->pdo([
        PDO::ATTR_POOL_MAX => 1,
        PDO::ATTR_POOL_RESET => $reset,
        PDO::ATTR_POOL_OPTIONS => ['beforeRelease' => $ask],
    ]);
    $told = function (string $what) use (&$asked): void {
        echo "$what: ", $asked === [] ? 'not asked' : implode('; ', $asked), "\n";
        $asked = [];
    };
    echo $server->name(), "\n";
    $pdo = $make($reset);
    together(function () use ($pdo, $alter): void {
        $pdo->pin();
        $pdo->exec($alter);
        $pdo->beginTransaction();
    });
    $told('left in a transaction');
    $pdo->beginTransaction();
    $server->kill($server->idOf($pdo));
    thrown(fn () => @$pdo->exec('SELECT 1'));
    $told('lost, and known to be');
    together(function () use ($pdo, $server): void {
        $pdo->beginTransaction();
        $server->kill($server->idOf($pdo));
    });
    $told('lost, and not known to be');
    $failing = $make('no SQL');
    $failing->exec('SELECT 1');
    $told('not to be cleaned');
}

echo "an attribute of the session\n";
$pdo = $server->pdo([PDO::ATTR_POOL_MAX => 1, PDO::ATTR_POOL_RESET => 'SET autocommit = 1']);
$pdo->setAttribute(PDO::ATTR_AUTOCOMMIT, false);
for ($i = 0; $i < 2; $i++) {
    [$is] = together(fn () => $pdo->query('SELECT @@autocommit')->fetchColumn());
    echo "$is, ", used($pdo);
}
?>
--EXPECT--
pgsql
left in a transaction: in none, clean
lost, and known to be: not asked
lost, and not known to be: not asked
not to be cleaned: not asked
mysql
left in a transaction: in none, clean
lost, and known to be: not asked
lost, and not known to be: not asked
not to be cleaned: not asked
an attribute of the session
0, 1/0/1
0, 1/0/1
