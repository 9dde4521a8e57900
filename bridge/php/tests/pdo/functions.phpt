--TEST--
PDO: SQLite's functions, aggregates and collations are every connection's, and come before the first SQL (B219 to B222)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

use function Async\suspend;

$pdo = sqlite([PDO::ATTR_POOL_MIN => 1, PDO::ATTR_POOL_MAX => 2]);
$pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
$pdo->sqliteCreateFunction('shout', strtoupper(...), 1);
$pdo->createFunction('plus', fn (int $a) => $a + 1, 1);
$pdo->createFunction('plus', fn (int $a, int $b) => $a + $b, 2);
$pdo->sqliteCreateAggregate('total_of', fn ($sum, $row, $v) => $sum + $v, fn ($sum) => $sum, 1);
$pdo->sqliteCreateCollation('backwards', fn (string $a, string $b) => strcmp($b, $a));

echo thrown(fn () => $pdo->sqliteCreateFunction('SHOUT', strtolower(...), 1));
echo thrown(fn () => $pdo->createCollation('backwards', strcmp(...)));
echo thrown(fn () => $pdo->createFunction('f', 'no callable'));
echo thrown(fn () => $pdo->createFunction(function_name: 'f', callback: strlen(...)));

$results = together(...array_fill(0, 4, function () use ($pdo): string {
    $statement = $pdo->query("SELECT shout('alpha'), plus(1), plus(2, 3), (SELECT total_of(column1) FROM (VALUES (7), (8)))");
    suspend();
    $words = "SELECT column1 FROM (VALUES ('b'), ('c'), ('a')) ORDER BY column1 COLLATE backwards";

    return implode(' ', $statement->fetch(PDO::FETCH_NUM)) . ' '
        . implode($pdo->query($words)->fetchAll(PDO::FETCH_COLUMN));
}));
echo implode("\n", $results), "\n";

echo thrown(fn () => $pdo->sqliteCreateFunction('late', strtolower(...)));
echo thrown(fn () => $pdo->sqliteCreateCollation('late', strcmp(...)));
echo thrown(fn () => $pdo->loadExtension('x'));
echo thrown(fn () => $pdo->openBlob('t', 'c', 1));
echo thrown(fn () => $pdo->setAuthorizer(null));
echo thrown(fn () => $pdo->pgsqlGetPid());
echo thrown(fn () => $pdo->anything());
?>
--EXPECT--
PDOException: sqliteCreateFunction(): the function shout with 1 arguments was registered already
PDOException: sqliteCreateCollation(): the collation backwards was registered already
TypeError: createFunction() needs a name and a callable
TypeError: createFunction() takes its arguments by position, not by name
ALPHA 2 5 15 cba
ALPHA 2 5 15 cba
ALPHA 2 5 15 cba
ALPHA 2 5 15 cba
PDOException: sqliteCreateFunction() must be called before the first SQL: connections are in use already
PDOException: sqliteCreateCollation() must be called before the first SQL: connections are in use already
PDOException: loadExtension() belongs to one connection, and this PDO has many: open a \PDO of your own for it
PDOException: openBlob() belongs to one connection, and this PDO has many: bind the value with PDO::PARAM_LOB
PDOException: setAuthorizer() belongs to one connection, and this PDO has many: open a \PDO of your own for it
Error: Call to undefined method Async\PDO::pgsqlGetPid()
Error: Call to undefined method Async\PDO::anything()
