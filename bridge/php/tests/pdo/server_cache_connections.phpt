--TEST--
PDO: each connection keeps statements for itself, by their text as it was given, and they go with it (B230)
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
    $pdo = $server->pdo([
        PDO::ATTR_POOL_MAX => 2,
        PDO::ATTR_POOL_STMT_CACHE_SIZE => 2,
        PDO::ATTR_EMULATE_PREPARES => false,
    ]);
    $isPostgres = $server instanceof Postgres;
    $cast = fn (string $name): string => $isPostgres ? "SELECT :$name::int" : "SELECT CAST(:$name AS SIGNED)";
    $run = function (string ...$names) use ($pdo, $cast): void {
        foreach ($names as $name) {
            $statement = $pdo->prepare($cast($name));
            $statement->execute([$name => 7]);
            $statement->fetchColumn() === 7 || print("wrong\n");
            unset($statement);
        }
    };
    $asked = [];
    // How many statements this context's connection has prepared at the server: that are there, or since it was opened.
    $prepared = function () use ($pdo, $server, $isPostgres, &$asked): int {
        $ask = $isPostgres
            ? 'SELECT count(*) FROM pg_prepared_statements'
            : "SELECT variable_value FROM information_schema.session_status WHERE variable_name = 'Com_stmt_prepare'";
        $id = $server->idOf($pdo);
        $asked[$id] = ($asked[$id] ?? 0) + ($isPostgres ? 0 : 2); // to MySQL's driver these are two more
        $statement = $pdo->prepare($ask, [PDO::ATTR_EMULATE_PREPARES => true]);
        $statement->execute();

        return (int) $statement->fetchColumn() - $asked[$id];
    };
    $use = fn (bool $isLost, string ...$names) => function () use ($pdo, $server, $run, $prepared, $isLost, $names): string {
        $pdo->pin();
        $run(...$names);
        $counts[] = $prepared();
        suspend();
        if ($isLost) {
            $server->kill($server->idOf($pdo));
            $counts[] = strtok(thrown(fn () => @$run('a')), ':');
        }
        $run('a'); // on another one, if that was lost
        $counts[] = $prepared();
        suspend();

        return implode(', ', $counts);
    };
    $all = together($use(false, 'a', 'a', 'b', 'a', 'b'), $use(true, 'a', 'a', 'a'));
    echo $server->name(), ': ', implode('; ', $all), '; ', used($pdo);
}
?>
--EXPECT--
pgsql: 2, 2; 1, PDOException, 1; 2/0/2
mysql: 2, 2; 1, PDOException, 1; 2/0/2
