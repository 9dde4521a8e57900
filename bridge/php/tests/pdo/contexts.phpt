--TEST--
PDO: each coroutine, fiber and the main flow has a connection of its own, and one only (B168 to B172, B174)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

use function Async\suspend;

$pdo = sqlite([PDO::ATTR_POOL_MAX => 8]);
$pdo->exec('CREATE TABLE t (v)');
echo used($pdo);

// What is temporary is of one connection.
$own = function (string $name) use ($pdo): string {
    $statement = $pdo->query('SELECT 1');
    $pdo->exec('DROP TABLE IF EXISTS temp.mine');
    $pdo->exec("CREATE TEMP TABLE mine AS SELECT '$name' AS name");
    suspend();
    $again = $pdo->prepare('SELECT name FROM mine');
    $again->execute();

    return $again->fetchColumn();
};
echo 'the main flow before: ', $own('main'), ', ', used($pdo);
echo 'coroutines: ', implode(' ', together(fn () => $own('a'), fn () => $own('b'), fn () => $own('c'))), ', ', used($pdo);

$fiber = new Fiber(fn () => Fiber::suspend($pdo->query('SELECT 2')) . $pdo->query('SELECT 4')->fetchColumn());
$statement = $fiber->start();
$main = $pdo->query('SELECT 3');
echo 'a fiber and the main flow: ', used($pdo);
unset($statement);
$fiber->resume('the fiber goes on: ');
echo $fiber->getReturn(), ', ', used($pdo);
unset($main);

// Without a statement or a transaction each call takes one and gives it back.
$pdo->exec('INSERT INTO t VALUES (1)');
echo 'between two calls: ', used($pdo);
$pdo->quote('x');
$pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
$pdo->getAttribute(PDO::ATTR_ERRMODE);
echo 'and after others: ', used($pdo);

$values = together(function () use ($pdo): array {
    for ($i = 1; $i <= 3; $i++) {
        $values[] = $pdo->query("SELECT $i")->fetchColumn();
    }

    return $values;
});
echo implode(', ', $values[0]), ', ', used($pdo);
?>
--EXPECT--
1/0/1
the main flow before: main, 1/0/1
coroutines: a b c, 3/0/3
a fiber and the main flow: 1/2/3
the fiber goes on: 4, 2/1/3
between two calls: 3/0/3
and after others: 3/0/3
1, 2, 3, 3/0/3
