--TEST--
PDO: what its pool refuses with is thrown as it is, whatever the error mode, and who has a connection goes on
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pdo = sqlite([
    PDO::ATTR_POOL_MAX => 1,
    PDO::ATTR_POOL_OPTIONS => ['maxWaiting' => 1],
    PDO::ATTR_ERRMODE => PDO::ERRMODE_SILENT,
]);
$pdo->exec('CREATE TABLE t (v)');
/** What each kind of call is thrown that needs a connection. */
$calls = fn (): string => implode('', array_unique(array_map(thrown(...), [
    fn () => $pdo->exec('INSERT INTO t VALUES (1)'),
    fn () => $pdo->query('SELECT 1'),
    fn () => $pdo->prepare('SELECT 1'),
    fn () => $pdo->beginTransaction(),
    fn () => $pdo->quote('x'),
    fn () => $pdo->setAttribute(PDO::ATTR_CASE, PDO::CASE_LOWER),
    fn () => $pdo->pin(),
])));

echo "an open breaker\n";
$pdo->getPool()->deactivate();
echo $calls();
var_dump($pdo->inTransaction(), $pdo->errorCode());
$pdo->getPool()->activate();
$pdo->beginTransaction();
$pdo->getPool()->deactivate();
var_dump($pdo->exec('INSERT INTO t VALUES (2)'), $pdo->commit());
echo thrown(fn () => $pdo->exec('INSERT INTO t VALUES (3)'));
$pdo->getPool()->activate();

echo "a line that is full\n";
$statement = $pdo->query('SELECT v FROM t');
$waits = spawn(fn () => $pdo->query('SELECT count(*) FROM t')->fetchColumn());
suspend();
echo together($calls)[0];
echo $statement->fetchColumn(), ", and who has one goes on\n";

echo "a deadlock\n";
echo strtok(thrown(fn () => await($waits)), ':'), "\n";
unset($statement);
echo $pdo->query('SELECT count(*) FROM t')->fetchColumn(), ' row, ', used($pdo);
?>
--EXPECT--
an open breaker
Async\ServiceUnavailableException: Service is unavailable (circuit breaker is open)
bool(false)
string(5) "00000"
int(1)
bool(true)
Async\ServiceUnavailableException: Service is unavailable (circuit breaker is open)
a line that is full
Async\OverloadedException: Too many wait for a resource already
2, and who has one goes on
a deadlock
Async\DeadlockError
1 row, 1/0/1
