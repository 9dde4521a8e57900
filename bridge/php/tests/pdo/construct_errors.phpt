--TEST--
PDO: what cannot be pooled is refused with a word on what to use; sizes are clamped (B159, B161, B218)
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

class NotOurs extends \PDOStatement
{
}

$tries = [
    'no colon' => ['no colon'],
    'no driver' => ['oracle:x'],
    'uri' => ['uri:file:///tmp/dsn'],
    'persistent' => [sqliteFile(), [PDO::ATTR_PERSISTENT => true]],
    'memory' => ['sqlite::memory:'],
    'no name' => ['sqlite:'],
    'named memory' => ['sqlite:file:x?mode=memory'],
    'memory by URI' => ['sqlite:file::memory:'],
    'statements' => [sqliteFile(), [PDO::ATTR_STATEMENT_CLASS => [NotOurs::class]]],
    'unknown' => [sqliteFile(), [PDO::ATTR_POOL_OPTIONS => ['speed' => 1]]],
    'taken' => [sqliteFile(), [PDO::ATTR_POOL_OPTIONS => ['max' => 1]]],
    'a list' => [sqliteFile(), [PDO::ATTR_POOL_OPTIONS => [1]]],
    'no array' => [sqliteFile(), [PDO::ATTR_POOL_OPTIONS => 'x']],
    'no SQL' => [sqliteFile(), [PDO::ATTR_POOL_RESET => ['x']]],
];
foreach ($tries as $name => $try) {
    [$dsn, $options] = $try + [1 => []];
    echo "$name: ", thrown(fn () => new PDO($dsn, null, null, $options));
}

foreach ([[-5, -5], [0, 0], [4, 2]] as [$min, $max]) {
    $pdo = sqlite([
        PDO::ATTR_POOL_MIN => $min,
        PDO::ATTR_POOL_MAX => $max,
        PDO::ATTR_POOL_HEALTHCHECK_INTERVAL => -1,
        PDO::ATTR_POOL_STMT_CACHE_SIZE => -1,
    ]);
    echo $pdo->getAttribute(PDO::ATTR_POOL_MIN), ' to ', $pdo->getAttribute(PDO::ATTR_POOL_MAX), ': ', used($pdo);
}

$shared = new PDO('sqlite:file:shared?mode=memory&cache=shared');
$keeps = $shared->query('SELECT 1');
$shared->exec('CREATE TABLE t (v)');
$shared->exec('INSERT INTO t VALUES (1), (2)');
echo implode(', ', together(fn () => $shared->query('SELECT v FROM t')->fetchAll(PDO::FETCH_COLUMN))[0]), "\n";
?>
--EXPECTF--
no colon: PDOException: Async\PDO::__construct(): Argument #1 ($dsn) must be a valid data source name
no driver: PDOException: could not find driver
uri: PDOException: A DSN of the form uri: is not supported: give what the file says
persistent: PDOException: Async\PDO::ATTR_POOL_ENABLED cannot be used with PDO::ATTR_PERSISTENT: leave out one of them
memory: PDOException: Each connection would have a memory database of its own: use a file, or "sqlite:file:NAME?mode=memory&cache=shared"
no name: PDOException: Each connection would have a memory database of its own: use a file, or "sqlite:file:NAME?mode=memory&cache=shared"
named memory: PDOException: Each connection would have a memory database of its own: use a file, or "sqlite:file:NAME?mode=memory&cache=shared"
memory by URI: PDOException: Each connection would have a memory database of its own: use a file, or "sqlite:file:NAME?mode=memory&cache=shared"
statements: PDOException: PDO::ATTR_STATEMENT_CLASS: NotOurs must extend Async\PDOStatement
unknown: ValueError: Async\PDO::ATTR_POOL_OPTIONS has "speed", which Async\Pool does not know
taken: ValueError: Async\PDO::ATTR_POOL_OPTIONS must not have "max": use Async\PDO::ATTR_POOL_MAX
a list: ValueError: Async\PDO::ATTR_POOL_OPTIONS has "0", which Async\Pool does not know
no array: ValueError: Async\PDO::ATTR_POOL_OPTIONS must be an array of named arguments of Async\Pool
no SQL: ValueError: Async\PDO::ATTR_POOL_RESET must be a string of SQL
0 to 1: 0/0/0
0 to 1: 0/0/0
4 to 4: 4/0/4
1, 2
