--TEST--
PDO: prepared statements are kept by their text, for each connection (B224 to B228)
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

/** How many statements a connection's server has prepared: that are there now, or since it was opened. */
function prepared(Server $server, \PDO $pdo): int
{
    $ask = $server instanceof Postgres
        ? 'SELECT count(*) FROM pg_prepared_statements'
        : "SELECT variable_value FROM information_schema.session_status WHERE variable_name = 'Com_stmt_prepare'";
    $statement = $pdo->prepare($ask, [PDO::ATTR_EMULATE_PREPARES => true]);
    $statement->execute();
    static $asked;
    $asked ??= new WeakMap(); // MySQL's driver has this prepared, too

    return (int) $statement->fetchColumn() - ($asked[$pdo] = ($asked[$pdo] ?? 0) + (int) ($server instanceof MariaDb));
}

function run(\PDO $pdo, string $sql, mixed ...$values): mixed
{
    $statement = $pdo->prepare($sql);
    $statement->execute($values);

    return $statement->fetchColumn();
}

foreach (servers() as $server) {
    echo $server->name(), "\n";
    $make = fn (int $size, array $options = []) => $server->pdo($options + [
        PDO::ATTR_POOL_MAX => 1,
        PDO::ATTR_POOL_STMT_CACHE_SIZE => $size,
        PDO::ATTR_EMULATE_PREPARES => false,
    ]);
    $cast = $server instanceof Postgres ? 'SELECT ?::int' : 'SELECT CAST(? AS SIGNED)';

    $pdo = $make(16);
    for ($i = 1; $i <= 5; $i++) {
        echo run($pdo, $cast, $i), ' ';
    }
    echo '- prepared: ', prepared($server, $pdo), ', ', used($pdo);

    $sum = array_sum(together(...array_map(fn (int $i) => fn () => run($pdo, "$cast + 1", $i), range(0, 7))));
    echo "$sum in 8 coroutines - prepared: ", prepared($server, $pdo), "\n";

    $small = $make(2);
    foreach (['SELECT 1', 'SELECT 2', 'SELECT 1', 'SELECT 3', 'SELECT 1'] as $sql) {
        run($small, $sql);
    }
    echo 'three texts in a cache of two - prepared: ', prepared($server, $small), ', ';
    run($small, 'SELECT 1');
    echo 'the one of the last use again: ', prepared($server, $small), ', ';
    run($small, 'SELECT 2');
    echo 'the one of the first: ', prepared($server, $small), "\n";

    $none = $make(0);
    for ($i = 0; $i < 4; $i++) {
        run($none, $cast, $i);
    }
    echo 'none kept - prepared: ', prepared($server, $none), "\n";

    $emulated = $make(16, [PDO::ATTR_EMULATE_PREPARES => true]);
    run($emulated, $cast, 1);
    run($emulated, $cast, 2);
    echo 'emulated - prepared: ', prepared($server, $emulated) > 0 ? 'some' : 'none', "\n";

    $first = $pdo->prepare($cast);
    $second = $pdo->prepare($cast);
    $first->execute([1]);
    $second->execute([2]);
    echo 'two at once: ', $first->fetchColumn(), $second->fetchColumn(), "\n";
    unset($first, $second);

    $server->kill($server->idOf($pdo));
    echo 'lost: ', strtok(thrown(fn () => @run($pdo, $cast, 1)), ':'), ', ', used($pdo);
    echo 'and anew: ', run($pdo, $cast, 6), ', ', used($pdo);
    unset($pdo, $small, $none, $emulated);
    echo live(), " pools left\n";
}
?>
--EXPECT--
pgsql
1 2 3 4 5 - prepared: 1, 1/0/1
36 in 8 coroutines - prepared: 2
three texts in a cache of two - prepared: 2, the one of the last use again: 2, the one of the first: 2
none kept - prepared: 0
emulated - prepared: none
two at once: 12
lost: PDOException, 0/0/0
and anew: 6, 1/0/1
0 pools left
mysql
1 2 3 4 5 - prepared: 1, 1/0/1
36 in 8 coroutines - prepared: 2
three texts in a cache of two - prepared: 3, the one of the last use again: 3, the one of the first: 4
none kept - prepared: 4
emulated - prepared: none
two at once: 12
lost: PDOException, 0/0/0
and anew: 6, 1/0/1
0 pools left
