--TEST--
PDO: a forked child that has one ends without a word, and its parent goes on
--EXTENSIONS--
pdo_sqlite
pcntl
--FILE--
<?php
require __DIR__ . '/pdo.inc';

$pdo = sqlite();
$pdo->exec('CREATE TABLE t (v)');
$statement = $pdo->query('SELECT 1');
$child = pcntl_fork();
if ($child === 0) {
    echo 'the child: ', strtok(thrown($pdo->getPool()->acquire(...)), ':'), "\n";
    exit(0);
}
pcntl_waitpid($child, $status);
echo 'it ended with ', pcntl_wexitstatus($status), "\n";
unset($statement);
$pdo->exec('INSERT INTO t VALUES (1)');
echo $pdo->query('SELECT count(*) FROM t')->fetchColumn(), ' row, ', used($pdo);
?>
--EXPECT--
the child: Async\PoolException
it ended with 0
1 row, 1/0/1
