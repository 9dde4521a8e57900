--TEST--
PDO: what PDO or the server refuses is refused as ever, and the next one has a clean connection (B200)
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

/** What a PDO does with it: a class of an error, or a result. */
function outcome(\PDO $pdo, Closure $try): string
{
    try {
        return var_export(@$try($pdo), true) . ' ' . $pdo->errorCode();
    } catch (Throwable $error) {
        return $error::class . ' ' . $error->getCode();
    }
}

$tries = [
    'too few' => fn (\PDO $pdo) => $pdo->prepare('INSERT INTO t VALUES (?, ?)')->execute([1]),
    'too many' => fn (\PDO $pdo) => $pdo->prepare('INSERT INTO t VALUES (?, ?)')->execute([1, 2, 3]),
    'another name' => fn (\PDO $pdo) => $pdo->prepare('INSERT INTO t VALUES (:a, :b)')->execute(['a' => 1, 'c' => 2]),
    'an object' => fn (\PDO $pdo) => $pdo->prepare('INSERT INTO t VALUES (?, ?)')->execute([1, new stdClass()]),
    'both kinds' => fn (\PDO $pdo) => $pdo->prepare('INSERT INTO t VALUES (?, :b)')->execute([1, 'b' => 2]),
    'position 0' => fn (\PDO $pdo) => $pdo->prepare('INSERT INTO t VALUES (?, ?)')->bindValue(0, 1),
    'no number' => fn (\PDO $pdo) => $pdo->prepare('INSERT INTO t VALUES (?, ?)')->execute(['x', 'y']),
    'too large' => fn (\PDO $pdo) => $pdo->prepare('INSERT INTO t VALUES (?, ?)')->execute(['99999999999999', 'y']),
    'no text' => fn (\PDO $pdo) => $pdo->prepare('INSERT INTO t VALUES (?, ?)')->execute([1, "\xff\xfe"]),
    'nothing' => fn (\PDO $pdo) => $pdo->exec(''),
    'no mode' => fn (\PDO $pdo) => $pdo->query('SELECT 1', 99),
    'no class' => fn (\PDO $pdo) => $pdo->query('SELECT 1', PDO::FETCH_CLASS, 'NoSuchClass'),
    'twice' => fn (\PDO $pdo) => $pdo->exec('INSERT INTO t VALUES (7, NULL)') + $pdo->exec('INSERT INTO t VALUES (7, NULL)'),
    'nothing to copy' => fn (\PDO $pdo) => $pdo->exec('COPY t FROM STDIN'), // PostgreSQL waits for rows then
    'no attribute' => fn (\PDO $pdo) => $pdo->setAttribute(987654, 1),
];
foreach (servers() as $server) {
    foreach ([PDO::ERRMODE_EXCEPTION, PDO::ERRMODE_SILENT] as $mode) {
        $options = [PDO::ATTR_ERRMODE => $mode, PDO::ATTR_EMULATE_PREPARES => false, PDO::ATTR_POOL_MAX => 1];
        $native = $server->native(array_diff_key($options, [PDO::ATTR_POOL_MAX => 0]));
        $pooled = $server->pdo($options);
        $native->exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR(10))');
        foreach ($tries as $name => $try) {
            $as = outcome($native, $try);
            $native->exec('DELETE FROM t');
            $is = outcome($pooled, $try);
            $native->exec('DELETE FROM t');
            if ($as !== $is) {
                echo "{$server->name()}, $name: $as, and with a pool $is\n";
            }
            $next = together(fn () => $pooled->query('SELECT 42')->fetchColumn() . $pooled->errorCode())[0];
            if ($next !== '4200000' || used($pooled) !== "1/0/1\n" || $pooled->inTransaction()) {
                echo "{$server->name()}, $name: the next one gets $next, ", used($pooled);
            }
        }
        $native->exec('DROP TABLE t');
    }
    echo $server->name(), ': ', count($tries), " tries\n";
}
?>
--EXPECT--
pgsql: 15 tries
mysql: 15 tries
