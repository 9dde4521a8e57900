--TEST--
PDO: it, its statements and its coroutines go in any order (B188 to B191)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

use function Async\await;
use function Async\spawn;
use function Async\suspend;

echo "dropped while a coroutine has it\n";
$pdo = sqlite();
$coroutine = spawn(function () use ($pdo): int {
    $statement = $pdo->query('SELECT 42');
    suspend();

    return $statement->fetchColumn();
});
suspend();
unset($pdo);
echo await($coroutine), "\n";
unset($coroutine);
echo live(), " pools left\n";

echo "all connections go with it\n";
$gone = 0;
$pdo = sqlite([PDO::ATTR_POOL_MIN => 2, PDO::ATTR_POOL_MAX => 2, PDO::ATTR_POOL_OPTIONS => [
    'destructor' => function (\PDO $connection) use (&$gone): void {
        $gone++;
    },
]]);
$marker = new ArrayObject();
$weak = WeakReference::create($marker);
$pdo->sqliteCreateFunction('f', fn () => count($marker) + 1);
unset($marker);
together(...array_fill(0, 2, function () use ($pdo): void {
    $statement = $pdo->query('SELECT f()');
    suspend();
    echo $statement->fetchColumn(), "\n";
}));
unset($pdo);
var_dump($gone, $weak->get());

echo "a statement that is left\n";
$gone = 0;
$pdo = sqlite([PDO::ATTR_POOL_MIN => 2, PDO::ATTR_POOL_OPTIONS => ['destructor' => function () use (&$gone): void {
    $gone++;
}]]);
$statement = $pdo->query('SELECT 1 UNION SELECT 2');
$pool = $pdo->getPool();
unset($pdo);
echo "$gone gone, closed: ", var_export($pool->isClosed(), true), "\n";
echo implode(', ', $statement->fetchAll(PDO::FETCH_COLUMN)), "\n";
unset($statement);
echo "$gone gone, ", counts($pool);
unset($pool);

echo "a cycle of both\n";
$pdo = sqlite();
$both = new ArrayObject(['pdo' => $pdo, 'statement' => $pdo->query('SELECT 1 UNION SELECT 2')]);
$both['both'] = $both;
unset($pdo, $both);
echo live(), " pools left\n";

echo "while an exception is on its way\n";
echo thrown(function (): void {
    $pdo = sqlite();
    $pdo->beginTransaction();
    $statement = $pdo->query('SELECT 1 UNION SELECT 2');
    throw new Exception('the first one');
});
echo live(), " pools left\n";
?>
--EXPECT--
dropped while a coroutine has it
42
0 pools left
all connections go with it
1
1
int(2)
NULL
a statement that is left
1 gone, closed: true
1, 2
2 gone, 0/0/0
a cycle of both
0 pools left
while an exception is on its way
Exception: the first one
0 pools left
