--TEST--
PDO: no dump of it, of its pool or of an error shows the password
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

$pdo = new PDO('sqlite:/no/such/folder/file', 'user', 'the password', [PDO::ATTR_POOL_MAX => 3]);
$good = new PDO(sqliteFile(), 'user', 'the password', [PDO::ATTR_POOL_OPTIONS => ['timed' => true]]);
$held = $good->query('SELECT 1');
$statement = $good->prepare('SELECT 2');
$error = null;
try {
    $pdo->exec('SELECT 1');
} catch (PDOException $error) {
    echo $error->getMessage(), "\n";
}
ob_start();
foreach ([$pdo, $good] as $each) {
    var_dump($each, $each->getPool());
    print_r((array) $each);
    print_r((array) $each->getPool());
}
var_dump($held, $statement);
var_dump($good->getPool()->lends());
PHP_VERSION_ID >= 80200 && print($error); // before, no argument can be kept from a trace
$shown = ob_get_clean();
var_dump(strlen($shown) > 100, str_contains($shown, 'the password'));
?>
--EXPECT--
SQLSTATE[HY000] [14] unable to open database file
bool(true)
bool(false)
