--TEST--
PDO: lazy rows, attributes and warnings of who had a kept statement are nothing to the next (B206, B224)
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
    $make = fn (array $options = []) => $server->pdo($options + [
        PDO::ATTR_POOL_MAX => 1,
        PDO::ATTR_POOL_STMT_CACHE_SIZE => 4,
        PDO::ATTR_EMULATE_PREPARES => false,
    ]);
    $run = function (PDO $pdo, string $value): PDOStatement {
        $statement = $pdo->prepare('SELECT CAST(? AS CHAR(9)) AS v');
        $statement->execute([$value]);

        return $statement;
    };

    // A lazy row reads from its statement, and is asked for in each of these ways.
    $lazily = [
        'a mode' => [[], fn (PDOStatement $statement) => $statement->fetch(PDO::FETCH_LAZY)],
        'the default' => [[PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_LAZY], fn (PDOStatement $statement) => $statement->fetch()],
        'foreach' => [[PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_LAZY], function (PDOStatement $statement): PDORow {
            foreach ($statement as $row) {
                return $row;
            }
        }],
    ];
    foreach ($lazily as $name => [$options, $fetch]) {
        $pdo = $make($options);
        $row = $fetch($run($pdo, 'mine'));
        echo "$name keeps the connection: ", used($pdo);
        $next = $run($pdo, 'another');
        $next->fetch(PDO::FETCH_ASSOC);
        echo trim($row->v), "\n";
        unset($next, $row);
        echo used($pdo);
    }

    $pdo = $make();
    $statement = $run($pdo, 'x');
    $pdo->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_NUM);
    unset($statement);
    echo 'an attribute that was set while it was in use: ', implode(',', array_keys($run($pdo, 'x')->fetch())), "\n";

    set_error_handler(function (int $level, string $text): bool {
        echo strtok($text, "\n"), "\n";

        return true;
    });
    $warning = $make([PDO::ATTR_ERRMODE => PDO::ERRMODE_WARNING]);
    $warning->prepare('SELECT CAST(:v AS CHAR(9))')->execute(['wrong' => 1]);
    restore_error_handler();
    echo used($warning);
}

echo "rows that are not buffered\n";
$pdo = $make([PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => false]);
$row = (function () use ($pdo): PDORow {
    $statement = $pdo->prepare('SELECT seq FROM seq_1_to_100000');
    $statement->execute();

    return $statement->fetch(PDO::FETCH_LAZY);
})();
$next = Async\spawn(fn () => $pdo->query('SELECT 42')->fetchColumn());
Async\suspend();
echo $row->seq, ', ', used($pdo);
unset($row);
echo Async\await($next), ', ', used($pdo);
?>
--EXPECTF--
pgsql
a mode keeps the connection: 0/1/1
mine
1/0/1
the default keeps the connection: 0/1/1
mine
1/0/1
foreach keeps the connection: 0/1/1
mine
1/0/1
an attribute that was set while it was in use: 0
PDOStatement::execute(): SQLSTATE[HY093]: Invalid parameter number%S
1/0/1
mysql
a mode keeps the connection: 0/1/1
mine
1/0/1
the default keeps the connection: 0/1/1
mine
1/0/1
foreach keeps the connection: 0/1/1
mine
1/0/1
an attribute that was set while it was in use: 0
PDOStatement::execute(): SQLSTATE[HY093]: Invalid parameter number%S
1/0/1
rows that are not buffered
1, 0/1/1
42, 1/0/1
