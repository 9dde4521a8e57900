--TEST--
PDO: what went wrong is known to the context of the call, and to it alone (B200, B206 to B210)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

$pdo = sqlite([PDO::ATTR_POOL_MAX => 1, PDO::ATTR_ERRMODE => PDO::ERRMODE_SILENT]);
$show = fn (): string => json_encode([$pdo->errorCode(), $pdo->errorInfo()]) . "\n";
echo $show();

echo "silently\n";
for ($i = 1; $i <= 6; $i++) {
    if ($pdo->query('SELECT * FROM nowhere') !== false || $pdo->exec('no SQL') !== false) {
        echo "no failure?\n";
    }
}
echo $show(), used($pdo);
together(function () use ($pdo, $show): void {
    echo $show();
    echo $pdo->query('SELECT 1')->fetchColumn(), ' ', $show();
});
echo $show();
echo $pdo->query('SELECT 42')->fetchColumn(), ' ', $show(), used($pdo);

echo "while it has the connection\n";
$statement = $pdo->query('SELECT 1');
$pdo->exec('no SQL');
echo $show();
unset($statement);

echo "a statement has its errors for itself\n";
$pdo->exec('CREATE TABLE t (v UNIQUE)');
$insert = $pdo->prepare('INSERT INTO t VALUES (?)');
var_dump($insert->execute([1]), $insert->execute([1]), $insert->errorCode());
echo $show();
unset($insert);

echo "as warnings\n";
$pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_WARNING);
set_error_handler(function (int $level, string $text): bool {
    echo "$text\n";

    return true;
});
var_dump($pdo->exec('no SQL'));
echo $show();

echo "as exceptions\n";
$pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
try {
    $pdo->exec('no SQL');
} catch (PDOException $error) {
    echo $error->getMessage(), ' ', json_encode($error->errorInfo), "\n", $show(), used($pdo);
}

echo "of many first calls\n";
$many = sqlite();
echo implode(' ', together(...array_fill(0, 5, function () use ($many): string {
    $statement = $many->query('SELECT 1');
    Async\suspend();

    return $many->errorCode();
}))), "\n";
?>
--EXPECT--
["00000",["00000",null,null]]
silently
["HY000",["HY000",1,"near \"no\": syntax error"]]
1/0/1
["00000",["00000",null,null]]
1 ["00000",["00000",null,null]]
["HY000",["HY000",1,"near \"no\": syntax error"]]
42 ["00000",["00000",null,null]]
1/0/1
while it has the connection
["HY000",["HY000",1,"near \"no\": syntax error"]]
a statement has its errors for itself
bool(true)
bool(false)
string(5) "23000"
["00000",["00000",null,null]]
as warnings
PDO::exec(): SQLSTATE[HY000]: General error: 1 near "no": syntax error
bool(false)
["HY000",["HY000",1,"near \"no\": syntax error"]]
as exceptions
SQLSTATE[HY000]: General error: 1 near "no": syntax error ["HY000",1,"near \"no\": syntax error"]
["HY000",["HY000",1,"near \"no\": syntax error"]]
1/0/1
of many first calls
00000 00000 00000 00000 00000
