--TEST--
PDO: options and attributes reach every connection, and the pool's arguments the pool (B164, B165, B186, B215)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

use function Async\suspend;

$pdo = sqlite([
    PDO::ATTR_POOL_MIN => 1,
    PDO::ATTR_POOL_MAX => 4,
    PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_NUM,
    PDO::ATTR_TIMEOUT => 7,
]);
$all = fn (): string => implode(' ', together(...array_fill(0, 4, function () use ($pdo): string {
    $statement = $pdo->query('SELECT 1 AS Value, 2.5');
    suspend();

    return json_encode($statement->fetch()) . $pdo->query('PRAGMA busy_timeout')->fetch(PDO::FETCH_NUM)[0];
}))) . "\n";
echo $all();
$held = $pdo->query('SELECT 1');
$pdo->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_ASSOC);
$pdo->setAttribute(PDO::ATTR_CASE, PDO::CASE_UPPER);
$pdo->setAttribute(PDO::ATTR_STRINGIFY_FETCHES, true);
$pdo->setAttribute(PDO::ATTR_STRINGIFY_FETCHES, false);
unset($held);
echo $all(), used($pdo);
var_dump($pdo->getAttribute(PDO::ATTR_CASE) === PDO::CASE_UPPER);

echo thrown(fn () => $pdo->setAttribute(PDO::ATTR_POOL_MAX, 1));
echo thrown(fn () => $pdo->setAttribute(PDO::ATTR_PERSISTENT, true));
echo thrown(fn () => $pdo->setAttribute(PDO::ATTR_ERRMODE, 99));
var_dump($pdo->setAttribute(PDO::ATTR_AUTOCOMMIT, true));

echo "arguments of the pool\n";
$see = fn (string $name, bool $answer) => function (\PDO $connection) use ($name, $answer): bool {
    echo "$name: ", $connection->query('SELECT sqlite_version()')->fetchColumn() > '3' ? 'connected' : '', "\n";

    return $answer;
};
$hooked = sqlite([PDO::ATTR_POOL_OPTIONS => [
    'beforeAcquire' => $see('may it be lent?', true),
    'beforeRelease' => $see('may it be kept?', false),
    'destructor' => $see('it goes', true),
]]);
$hooked->beginTransaction();
$hooked->commit();
echo used($hooked);

echo "what is run when a connection comes back\n";
$reset = sqlite([PDO::ATTR_POOL_RESET => 'PRAGMA cache_size = 123']);
$reset->exec('PRAGMA cache_size = 321');
echo $reset->query('PRAGMA cache_size')->fetchColumn(), ', ', used($reset);
$empty = sqlite([PDO::ATTR_POOL_RESET => '']);
echo $empty->query('SELECT 1')->fetchColumn(), ', ', used($empty);
$failing = sqlite([PDO::ATTR_POOL_RESET => 'no SQL', PDO::ATTR_ERRMODE => PDO::ERRMODE_WARNING]);
echo $failing->query('SELECT 1')->fetchColumn(), ', ', used($failing);
?>
--EXPECTF--
[1,2.5]7000 [1,2.5]7000 [1,2.5]7000 [1,2.5]7000
{"VALUE":1,"2.5":2.5}7000 {"VALUE":1,"2.5":2.5}7000 {"VALUE":1,"2.5":2.5}7000 {"VALUE":1,"2.5":2.5}7000
4/0/4
bool(true)
PDOException: SQLSTATE[IM001]: Driver does not support this function: Attributes of the pool can only be given to the constructor
PDOException: SQLSTATE[IM001]: Driver does not support this function: PDO::ATTR_PERSISTENT cannot be used with Async\PDO: the pool keeps connections
ValueError: %SError mode must be one of the PDO::ERRMODE_* constants
bool(false)
arguments of the pool
may it be kept?: connected
it goes: connected
0/0/0
what is run when a connection comes back
123, 1/0/1
1, 1/0/1
1, 0/0/0
