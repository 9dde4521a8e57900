--TEST--
PDO: what PDO or SQLite refuses is refused as ever, and the next one has a clean connection (B200)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

/** What a PDO does with it: a class of an error, or a result. */
function outcome(\PDO $pdo, Closure $try): string
{
    try {
        return var_export(@$try($pdo), true) . ' ' . $pdo->errorCode();
    } catch (Throwable $error) {
        return $error::class . ' ' . $error->getCode() . ' ' . str_replace('Async\\', '', $error->getMessage());
    }
}

$insert = fn (\PDO $pdo) => $pdo->prepare('INSERT INTO t VALUES (?, ?)');
$tries = [
    'too few' => fn (\PDO $pdo) => $insert($pdo)->execute([1]),
    'too many' => fn (\PDO $pdo) => $insert($pdo)->execute([1, 2, 3]),
    'another name' => fn (\PDO $pdo) => $pdo->prepare('INSERT INTO t VALUES (:a, :b)')->execute(['a' => 1, 'c' => 2]),
    'an object' => fn (\PDO $pdo) => $insert($pdo)->execute([1, new stdClass()]),
    'both kinds' => fn (\PDO $pdo) => $pdo->prepare('INSERT INTO t VALUES (?, :b)')->execute([1, 'b' => 2]),
    'position 0' => fn (\PDO $pdo) => $insert($pdo)->bindValue(0, 1),
    'no LOB' => fn (\PDO $pdo) => $insert($pdo)->bindValue(1, 7, PDO::PARAM_LOB),
    'no number' => fn (\PDO $pdo) => $insert($pdo)->execute(['x', 'y']),
    'nothing' => fn (\PDO $pdo) => $pdo->exec(''),
    'nothing to ask' => fn (\PDO $pdo) => $pdo->query(''),
    'no mode' => fn (\PDO $pdo) => $pdo->query('SELECT 1', 99),
    'no class' => fn (\PDO $pdo) => $pdo->query('SELECT 1', PDO::FETCH_CLASS, 'NoSuchClass'),
    'twice' => fn (\PDO $pdo) => $pdo->exec('INSERT INTO t VALUES (7, 1)') + $pdo->exec('INSERT INTO t VALUES (7, 1)'),
    'half a transaction' => fn (\PDO $pdo) => $pdo->exec('BEGIN; INSERT INTO t VALUES (8, 1); INSERT INTO t VALUES (8, 1)'),
    'no attribute' => fn (\PDO $pdo) => $pdo->setAttribute(987654, 1),
    'no value for one' => fn (\PDO $pdo) => $pdo->setAttribute(PDO::ATTR_ERRMODE, 99),
    'no attribute to read' => fn (\PDO $pdo) => $pdo->getAttribute(987654),
    'a column too many' => fn (\PDO $pdo) => $pdo->query('SELECT 1')->fetchColumn(5),
    'no function' => fn (\PDO $pdo) => $pdo->query('SELECT nothing(1)'),
];
foreach ([PDO::ERRMODE_EXCEPTION, PDO::ERRMODE_SILENT] as $mode) {
    $native = new \PDO(sqliteFile(), null, null, [PDO::ATTR_ERRMODE => $mode]);
    $pooled = sqlite([PDO::ATTR_ERRMODE => $mode, PDO::ATTR_POOL_MAX => 1]);
    foreach ([$native, $pooled] as $pdo) {
        $pdo->exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
    }
    foreach ($tries as $name => $try) {
        $as = outcome($native, $try);
        $is = outcome($pooled, $try);
        if ($as !== $is) {
            echo "$name: $as, and with a pool $is\n";
        }
        thrown(fn () => $native->exec('ROLLBACK')); // as the pool does
        $next = together(fn () => $pooled->query('SELECT count(*) FROM t WHERE id = 8')->fetchColumn() . $pooled->errorCode())[0];
        if ($next !== '000000' || used($pooled) !== "1/0/1\n" || $pooled->inTransaction()) {
            echo "$name: the next one gets $next, ", used($pooled);
        }
        foreach ([$native, $pooled] as $pdo) {
            $pdo->exec('DELETE FROM t');
        }
    }
}
echo count($tries), " tries\n";
?>
--EXPECT--
19 tries
