--TEST--
PDO: sessions that are ended at random, and cancelled coroutines: each ends well or with an error, and nothing is left (B196, B197, B201 to B203)
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

use Async\AsyncCancellation;
use Async\PDO;

use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

foreach (servers() as $server) {
    echo $server->name(), "\n";
    $pdo = $server->pdo([PDO::ATTR_POOL_MAX => 3]);
    $pdo->exec('CREATE TABLE t (v INTEGER)');

    // Each adds two rows, or none, and knows which.
    $transfer = function (int $i) use ($pdo): bool {
        $pdo->beginTransaction();
        $insert = $pdo->prepare('INSERT INTO t VALUES (?)');
        foreach ([$i, -$i] as $v) {
            suspend();
            $insert->execute([$v]);
        }
        suspend();

        return $pdo->commit();
    };
    mt_srand(7);
    $well = $failed = $cancelled = 0;
    $all = [];
    for ($i = 1; $i <= 60; $i++) {
        $all[] = spawn($transfer, $i);
    }
    $killer = spawn(function () use ($pdo, $server): void {
        $sessions = $server instanceof Postgres
            ? 'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE \'%INSERT INTO t VALUES%\''
            : "SELECT id FROM information_schema.processlist WHERE db = '{$server->database}'";
        for ($n = 0; $n < 12; $n++) {
            for ($turns = mt_rand(1, 8); $turns > 0; $turns--) {
                suspend();
            }
            $ids = $server->admin()->query($sessions)->fetchAll(PDO::FETCH_COLUMN);
            $ids === [] || $server->kill((int) $ids[array_rand($ids)]);
        }
    });
    $canceller = spawn(function () use ($all): void {
        for ($n = 0; $n < 12; $n++) {
            suspend();
            $all[array_rand($all)]->cancel();
        }
    });
    foreach ($all as $coroutine) {
        try {
            $well += (int) await($coroutine);
        } catch (PDOException) {
            $failed++;
        } catch (AsyncCancellation) {
            $cancelled++;
        }
    }
    await($killer);
    await($canceller);
    $rows = $server->pdo([PDO::ATTR_POOL_ENABLED => false])->query('SELECT count(*), sum(v) FROM t');
    [$count, $sum] = $rows->fetch(PDO::FETCH_NUM);
    var_dump($well + $failed + $cancelled, (int) $count === 2 * $well, (int) $sum);
    echo $well > 0 && $failed > 0 && $cancelled > 0 ? "some of each\n" : "$well $failed $cancelled\n";
    echo $pdo->getPool()->activeCount(), " in use\n";

    // Cancelled in a transaction: it is rolled back, the connection stays, and whoever was cancelled may go on.
    $one = $server->pdo([PDO::ATTR_POOL_MAX => 1]);
    $coroutine = spawn(function () use ($one): int {
        $one->beginTransaction();
        try {
            delay(60_000);
        } catch (AsyncCancellation) {
            $one->rollBack();
        }

        return (int) $one->query('SELECT 42')->fetchColumn();
    });
    spawn($coroutine->cancel(...));
    echo await($coroutine), ' after a cancellation, ', used($one);
}
?>
--EXPECT--
pgsql
int(60)
bool(true)
int(0)
some of each
0 in use
42 after a cancellation, 1/0/1
mysql
int(60)
bool(true)
int(0)
some of each
0 in use
42 after a cancellation, 1/0/1
