--TEST--
PDO: a connection is given back where fibers cannot switch, and whoever waits in line gets it
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

use function Async\await;
use function Async\spawn;
use function Async\suspend;

final class Holder
{
    public ?PDOStatement $statement;
    public array $cycle = [];

    public function __construct(private readonly PDO $pdo)
    {
        $pdo->beginTransaction();
        $this->statement = $pdo->query('SELECT 1 UNION SELECT 2');
        $this->statement->fetch();
    }

    public function __destruct()
    {
        $this->pdo->exec('INSERT INTO t VALUES (1)');
        $this->pdo->rollBack();
        $this->statement = null;
        echo 'in the destructor: ', used($this->pdo);
    }
}

$pdo = sqlite([PDO::ATTR_POOL_MAX => 1]);
$pdo->exec('CREATE TABLE t (v)');
$wait = fn () => spawn(fn () => $pdo->query('SELECT count(*) FROM t')->fetchColumn());

$holder = new Holder($pdo);
$next = $wait();
suspend();
unset($holder);
echo await($next), ' rows, ', used($pdo);

echo "in a coroutine\n";
$first = spawn(function () use ($pdo): void {
    $holder = new Holder($pdo);
    suspend();
});
suspend();
$next = $wait();
echo await($next), ' rows, ', used($pdo);

echo "by the collector\n";
$holder = new Holder($pdo);
$holder->cycle[] = $holder;
$next = $wait();
suspend();
unset($holder);
gc_collect_cycles();
echo await($next), ' rows, ', used($pdo);

echo "half read, in a cycle of its own\n";
$cycle = new ArrayObject([$pdo->query('SELECT 1 UNION SELECT 2')]);
$cycle['statement'] = $cycle[0];
$cycle['cycle'] = $cycle;
$next = $wait();
suspend();
unset($cycle);
echo await($next), ' rows, ', used($pdo); // found before anybody is told of a deadlock
?>
--EXPECT--
in the destructor: 1/0/1
0 rows, 1/0/1
in a coroutine
in the destructor: 1/0/1
0 rows, 1/0/1
by the collector
in the destructor: 1/0/1
0 rows, 1/0/1
half read, in a cycle of its own
0 rows, 1/0/1
