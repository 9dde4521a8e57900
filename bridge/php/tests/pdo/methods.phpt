--TEST--
PDO: no public method of PDO or of its statements is forgotten
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;
use Async\PDOStatement;

$public = fn (string $class): array => (new ReflectionClass($class))->getMethods(ReflectionMethod::IS_PUBLIC);

// The object is never connected, so whatever is inherited would find no connection.
foreach ($public(PDO::class) as $method) {
    if ($method->class !== PDO::class) {
        echo "inherited: {$method->getName()}\n";
    }
}

foreach ($public(Async\Internal\Pdo\CachedStatement::class) as $method) {
    if ($method->class !== Async\Internal\Pdo\CachedStatement::class) {
        echo "inherited by what is kept: {$method->getName()}\n";
    }
}

// Each can be called, and the parent's arguments are taken.
foreach ($public(\PDO::class) as $method) {
    $own = new ReflectionMethod(PDO::class, $method->getName());
    if ($own->getNumberOfParameters() < $method->getNumberOfParameters()) {
        echo "{$method->getName()}() has less parameters\n";
    }
    foreach ($method->getParameters() as $i => $parameter) {
        if ($own->getParameters()[$i]->getName() !== $parameter->getName()) {
            echo "{$method->getName()}() has another name for \${$parameter->getName()}\n";
        }
    }
}

$calls = [
    'exec' => ['CREATE TABLE t (v)'],
    'beginTransaction' => [],
    'inTransaction' => [],
    'commit' => [],
    'rollBack' => [],
    'errorCode' => [],
    'errorInfo' => [],
    'getAttribute' => [PDO::ATTR_DRIVER_NAME],
    'setAttribute' => [PDO::ATTR_CASE, PDO::CASE_LOWER],
    'lastInsertId' => [],
    'prepare' => ['SELECT 1'],
    'query' => ['SELECT 1'],
    'quote' => ["it's"],
    'getAvailableDrivers' => [],
    '__construct' => null,
    'connect' => null,
    '__sleep' => null,
    '__wakeup' => null,
];
$pdo = sqlite();
foreach ($public(\PDO::class) as $method) {
    $name = $method->getName();
    $arguments = $calls[$name] ?? null;
    if ($arguments !== null) {
        $name === 'rollBack' && $pdo->beginTransaction();
        $pdo->$name(...$arguments);
        echo "$name()\n";
    } elseif (!array_key_exists($name, $calls)) {
        echo "$name() is new\n";
    }
}
var_dump($pdo->quote("it's"), PDO::connect(sqliteFile()) instanceof PDO);
echo thrown(fn () => clone $pdo), thrown(fn () => serialize($pdo));
print_r((array) (new ReflectionClass(PDO::class))->newInstanceWithoutConstructor());
?>
--EXPECT--
inherited: getAvailableDrivers
beginTransaction()
commit()
errorCode()
errorInfo()
exec()
getAttribute()
getAvailableDrivers()
inTransaction()
lastInsertId()
prepare()
query()
quote()
rollBack()
setAttribute()
string(7) "'it''s'"
bool(true)
Error: Trying to clone an uncloneable object of class Async\PDO
Exception: Serialization of 'Async\PDO' is not allowed
Array
(
)
