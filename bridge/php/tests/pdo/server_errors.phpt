--TEST--
PDO: the server's codes and messages are the context's own (B206 to B210)
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
    $pdo = $server->pdo([PDO::ATTR_POOL_MAX => 1, PDO::ATTR_ERRMODE => PDO::ERRMODE_SILENT]);
    $show = function () use ($pdo): string {
        [$state, $code, $text] = $pdo->errorInfo();

        return $pdo->errorCode() . " $state " . var_export($code, true) . ' '
            . (str_contains((string) $text, 'nowhere') ? 'and the text' : var_export($text, true)) . "\n";
    };
    together(function () use ($pdo, $show): void {
        var_dump($pdo->query('SELECT * FROM nowhere'));
        echo $show();
    });
    together(function () use ($pdo, $show): void {
        echo $show(), $pdo->query('SELECT 1')->fetchColumn(), ' ', $show();
    });
    $pdo->exec('DELETE FROM nowhere');
    echo $show(), used($pdo);

    foreach ([0, 4] as $kept) { // a statement of the next one says nothing of it, either
        $own = $server->pdo([
            PDO::ATTR_POOL_MAX => 1,
            PDO::ATTR_POOL_STMT_CACHE_SIZE => $kept,
            PDO::ATTR_ERRMODE => PDO::ERRMODE_SILENT,
            PDO::ATTR_EMULATE_PREPARES => false,
        ]);
        $fail = function (int $by) use ($own): string {
            $statement = $own->prepare('SELECT (SELECT 1 UNION SELECT CAST(? AS DECIMAL))'); // one row is allowed
            $before = json_encode($statement->errorInfo());
            $statement->execute([$by]);
            [$state, $code, $text] = $statement->errorInfo();

            return "$before $state " . json_encode([is_int($code), is_string($text)]) . "\n";
        };
        echo together(fn () => $fail(2))[0], together(fn () => $fail(2))[0];
        echo together(fn () => json_encode($own->query('SELECT 1')->errorInfo()))[0], "\n";
    }

    $pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
    try {
        $pdo->exec('DELETE FROM nowhere');
    } catch (PDOException $error) {
        echo $error->errorInfo[0], ' ', $error->errorInfo[1], ' ', used($pdo);
    }
    $pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_WARNING);
    set_error_handler(fn (int $level, string $text): bool => (bool) print(strtok($text, "\n") . "\n"));
    var_dump($pdo->exec('DELETE FROM nowhere'));
    restore_error_handler();
    echo $show(), used($pdo);
}
?>
--EXPECTF--
pgsql
bool(false)
42P01 42P01 7 and the text
00000 00000 NULL NULL
1 00000 00000 NULL NULL
42P01 42P01 7 and the text
1/0/1
["",null,null] 21000 [true,true]
["",null,null] 21000 [true,true]
["00000",null,null]
["",null,null] 21000 [true,true]
["",null,null] 21000 [true,true]
["00000",null,null]
42P01 7 1/0/1
PDO::exec(): SQLSTATE[42P01]: Undefined table: 7 ERROR:  relation "nowhere" does not exist
bool(false)
42P01 42P01 7 and the text
1/0/1
mysql
bool(false)
42S02 42S02 1146 and the text
00000 00000 NULL NULL
1 00000 00000 NULL NULL
42S02 42S02 1146 and the text
1/0/1
["",null,null] 21000 [true,true]
["",null,null] 21000 [true,true]
["00000",null,null]
["",null,null] 21000 [true,true]
["",null,null] 21000 [true,true]
["00000",null,null]
42S02 1146 1/0/1
PDO::exec(): SQLSTATE[42S02]: Base table or view not found: 1146 Table '%s.nowhere' doesn't exist
bool(false)
42S02 42S02 1146 and the text
1/0/1
