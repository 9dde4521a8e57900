--TEST--
PDO: who is given a kept statement sees nothing of those who had it, and a stale one is prepared anew (B229, B231)
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

use function Async\spawn;
use function Async\suspend;

foreach (servers() as $server) {
    echo $server->name(), "\n";
    $pdo = $server->pdo([
        PDO::ATTR_POOL_MAX => 1,
        PDO::ATTR_POOL_STMT_CACHE_SIZE => 4,
        PDO::ATTR_EMULATE_PREPARES => false,
    ]);
    $pdo->exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)');
    $pdo->exec('INSERT INTO t VALUES (1, 100), (2, 200), (3, 300)');

    // Whatever may be done to a statement is done, then the next one is looked at.
    $sql = 'SELECT id, v FROM t WHERE id >= :low AND id <= :high ORDER BY id';
    $uses = [
        'bindValue' => fn (PDOStatement $s) => $s->bindValue(':low', 2) && $s->bindValue('high', 3) && $s->execute(),
        'bindParam' => function (PDOStatement $s): bool {
            $low = 2;
            $high = 3;

            return $s->bindParam('low', $low) && $s->bindParam('high', $high) && $s->execute();
        },
        'half read' => fn (PDOStatement $s) => $s->execute(['low' => 1, 'high' => 3]) && $s->fetch(),
        'bindColumn' => fn (PDOStatement $s) => $s->execute(['low' => 1, 'high' => 3])
            && $s->bindColumn(1, $GLOBALS['seen']) && $s->fetch(PDO::FETCH_BOUND),
        'setFetchMode' => fn (PDOStatement $s) => $s->setFetchMode(PDO::FETCH_CLASS, ArrayObject::class, [[1]]),
        'fetchAll' => fn (PDOStatement $s) => $s->execute(['low' => 1, 'high' => 3]) && $s->fetchAll(PDO::FETCH_COLUMN, 1),
        'lazily' => fn (PDOStatement $s) => $s->execute(['low' => 1, 'high' => 3]) && $s->fetch(PDO::FETCH_LAZY),
        'not run' => fn (PDOStatement $s) => $s->bindValue('low', 1),
        'failing' => fn (PDOStatement $s) => thrown(fn () => $s->execute(['wrong' => 1])),
    ];
    foreach ($uses as $name => $use) {
        $use($pdo->prepare($sql)) || print("$name: failed?\n");
        $next = $pdo->prepare($sql);
        if ($next->errorCode() !== null || $next->queryString !== $sql) {
            echo "$name: it was used already\n";
        }
        try {
            $next->execute();
            echo "$name: it runs with the values of others: ", json_encode($next->fetchAll(PDO::FETCH_NUM)), "\n";
        } catch (PDOException $error) {
            // as PDO has it
        }
        unset($next);
        $GLOBALS['seen'] = null;
        $next = $pdo->prepare($sql);
        $next->execute(['low' => 3, 'high' => 3]);
        $row = $next->fetch();
        if ($row !== ['id' => 3, 0 => 3, 'v' => 300, 1 => 300] || $GLOBALS['seen'] !== null) {
            echo "$name: ", json_encode($row), "\n";
        }
        unset($next);
    }
    $statement = $pdo->prepare($sql);
    $statement->execute(['low' => 1, 'high' => 2]);
    foreach ($statement as $key => $row) {
        echo "$key: $row[v], ";
    }
    echo $statement->rowCount(), ' rows, ', $statement->columnCount(), ' columns, ', $statement->getColumnMeta(1)['name'], "\n";
    unset($statement);
    echo used($pdo);

    $all = fn () => implode(' ', (function () use ($pdo): array {
        $statement = $pdo->prepare('SELECT * FROM t WHERE id > :id ORDER BY id');
        $statement->bindValue('id', 0, PDO::PARAM_INT);
        $statement->execute();

        return $statement->fetchAll(PDO::FETCH_NUM)[2];
    })());
    echo $all(), "\n";
    $pdo->exec('ALTER TABLE t ADD COLUMN w INTEGER DEFAULT 7');
    echo $all(), ', ', $all(), "\n";
    if ($server instanceof Postgres) {
        $asks = $pdo->prepare(
            "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT * FROM t %'",
            [PDO::ATTR_EMULATE_PREPARES => true],
        );
        $asks->execute();
        echo $asks->fetchColumn(), " prepared: it was once anew\n";
        unset($asks);
        $pdo->beginTransaction(); // where all that follows an error is refused
        $pdo->exec('ALTER TABLE t ADD COLUMN x INTEGER DEFAULT 8');
        echo 'in a transaction: ', strtok(thrown($all), ':'), "\n";
        $pdo->rollBack();
        echo $all(), "\n";
    }

    // Twenty texts, for caches that have room for few, for some, for all, and for more.
    foreach ([1, 5, 20, 50] as $size) {
        $sized = $server->pdo([
            PDO::ATTR_POOL_MAX => 2,
            PDO::ATTR_POOL_STMT_CACHE_SIZE => $size,
            PDO::ATTR_EMULATE_PREPARES => false,
        ]);
        $right = array_sum(together(...array_fill(0, 4, function () use ($sized): int {
            for ($i = $right = 0; $i < 60; $i++) {
                $text = $i * 7 % 20;
                $statement = $sized->prepare("SELECT $text, v FROM t WHERE id = ?");
                suspend();
                $statement->execute([1 + $i % 3]);
                $right += (int) ($statement->fetch(PDO::FETCH_NUM) == [$text, 100 * (1 + $i % 3)]);
                unset($statement);
            }

            return $right;
        })));
        $kept = 0;
        if ($server instanceof Postgres) {
            $asks = $sized->prepare('SELECT count(*) FROM pg_prepared_statements', [PDO::ATTR_EMULATE_PREPARES => true]);
            $asks->execute();
            $kept = $asks->fetchColumn();
            unset($asks);
        }
        echo "$size: $right are right, ", $kept <= min($size, 20) ? '' : "$kept kept, ", used($sized);
    }

    // Many texts, little room, and some that are cancelled.
    $busy = $server->pdo([
        PDO::ATTR_POOL_MAX => 2,
        PDO::ATTR_POOL_STMT_CACHE_SIZE => 3,
        PDO::ATTR_EMULATE_PREPARES => false,
    ]);
    $well = $cancelled = 0;
    $all = [];
    for ($n = 0; $n < 4; $n++) {
        $all[] = spawn(function () use ($busy, &$well): void {
            for ($i = 0; $i < 40; $i++) {
                $v = $i % 8;
                $statement = $busy->prepare("SELECT $v, v FROM t WHERE id = ?");
                suspend();
                $statement->execute([1 + $i % 3]);
                $well += (int) ($statement->fetch(PDO::FETCH_NUM) == [$v, 100 * (1 + $i % 3)]);
            }
        });
    }
    spawn(function () use ($all): void {
        for ($turns = 0; $turns < 20; $turns++) {
            suspend();
        }
        $all[1]->cancel();
    });
    foreach ($all as $coroutine) {
        try {
            Async\await($coroutine);
        } catch (Async\AsyncCancellation) {
            $cancelled++;
        }
    }
    var_dump($well > 120, $well < 160, $cancelled);
    echo used($busy);
}
?>
--EXPECT--
pgsql
0: 100, 1: 200, 2 rows, 2 columns, v
1/0/1
3 300
3 300 7, 3 300 7
1 prepared: it was once anew
in a transaction: PDOException
3 300 7
1: 240 are right, 2/0/2
5: 240 are right, 2/0/2
20: 240 are right, 2/0/2
50: 240 are right, 2/0/2
bool(true)
bool(true)
int(1)
2/0/2
mysql
0: 100, 1: 200, 2 rows, 2 columns, v
1/0/1
3 300
3 300 7, 3 300 7
1: 240 are right, 2/0/2
5: 240 are right, 2/0/2
20: 240 are right, 2/0/2
50: 240 are right, 2/0/2
bool(true)
bool(true)
int(1)
2/0/2
