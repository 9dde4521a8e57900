--TEST--
PDO: a pool appears and nothing connects; its attributes are constants, and can be read (B156, B158, B162)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

$pdo = sqlite([PDO::ATTR_POOL_MAX => 7, PDO::ATTR_POOL_STMT_CACHE_SIZE => 16]);
var_dump($pdo instanceof \PDO, $pdo->getPool() instanceof Async\Pool, $pdo->getPool() === $pdo->getPool());
var_dump($pdo->getPool()->isClosed());
echo used($pdo);

var_dump(together(fn () => $pdo->query('SELECT 42')->fetchColumn()));
echo used($pdo);

$first = PDO::ATTR_POOL_ENABLED;
var_dump(PDO::ATTR_POOL_MIN - $first, PDO::ATTR_POOL_MAX - $first, PDO::ATTR_POOL_HEALTHCHECK_INTERVAL - $first);
var_dump(array_diff(
    [PDO::ATTR_POOL_STMT_CACHE_SIZE, PDO::ATTR_POOL_OPTIONS, PDO::ATTR_POOL_RESET],
    range($first, $first + 3),
) === [PDO::ATTR_POOL_STMT_CACHE_SIZE, PDO::ATTR_POOL_OPTIONS, PDO::ATTR_POOL_RESET]);
var_dump($pdo->getAttribute(PDO::ATTR_POOL_ENABLED));
var_dump($pdo->getAttribute(PDO::ATTR_POOL_MIN));
var_dump($pdo->getAttribute(PDO::ATTR_POOL_MAX));
try {
    $pdo->getAttribute(PDO::ATTR_POOL_HEALTHCHECK_INTERVAL);
} catch (PDOException $error) {
    echo $error->errorInfo[0], ': ', $error->getMessage(), "\n";
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(false)
0/0/0
array(1) {
  [0]=>
  int(42)
}
1/0/1
int(1)
int(2)
int(3)
bool(true)
bool(true)
int(0)
int(7)
IM001: SQLSTATE[IM001]: Driver does not support this function: This attribute of the pool can only be given to the constructor
