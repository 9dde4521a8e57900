--TEST--
PDO: what is made up front connects in the constructor, and its failure is the constructor's (B163)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

use function Async\suspend;

$pdo = sqlite([PDO::ATTR_POOL_MIN => 2]);
echo used($pdo);
$read = function (int $value) use ($pdo): int {
    $statement = $pdo->query("SELECT $value");
    suspend();
    echo used($pdo);

    return $statement->fetchColumn();
};
var_dump(together(fn () => $read(1), fn () => $read(2)) === [1, 2]);
echo used($pdo);

echo thrown(fn () => new PDO('sqlite:/no/such/folder/file', null, null, [PDO::ATTR_POOL_MIN => 2]));
$late = new PDO('sqlite:/no/such/folder/file');
echo thrown(fn () => $late->exec('SELECT 1'));
echo used($late);
unset($pdo, $late, $read);
echo live(), " pools left\n";
?>
--EXPECT--
2/0/2
0/2/2
1/1/2
bool(true)
2/0/2
PDOException: SQLSTATE[HY000] [14] unable to open database file
PDOException: SQLSTATE[HY000] [14] unable to open database file
0/0/0
0 pools left
