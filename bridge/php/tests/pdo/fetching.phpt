--TEST--
PDO: what is fetched, bound and iterated is as with PDO, in every mode
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDOStatement;

class Row
{
    public $id;
    public $v;
    public array $given;

    public function __construct(mixed ...$given)
    {
        $this->given = $given;
    }
}

/** A program of PDO; it knows of nothing else. */
function program(PDO $pdo): array
{
    $pdo->exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v, data BLOB)');
    $insert = $pdo->prepare('INSERT INTO t (v, data) VALUES (:v, :data)');
    $v = 'first';
    $data = fopen('php://memory', 'w+');
    fwrite($data, "\0binary");
    rewind($data);
    $insert->bindParam(':v', $v);
    $insert->bindParam(':data', $data, PDO::PARAM_LOB);
    $seen[] = $insert->execute();
    $v = 'second';
    $insert->bindValue('data', null, PDO::PARAM_NULL);
    $seen[] = $insert->execute();
    $seen[] = $insert->execute(['v' => 'third', 'data' => 'x']);
    $seen[] = [$insert->rowCount(), $insert->columnCount(), $insert->queryString];

    $all = 'SELECT id, v FROM t ORDER BY id';
    foreach ($pdo->query($all) as $key => $row) {
        $seen[] = [$key => $row];
    }
    foreach ($pdo->query($all, PDO::FETCH_NUM) as $row) {
        $seen[] = $row;
    }
    $twice = $pdo->query($all); // what one loop leaves the next has, also one inside it
    $order = '';
    foreach ($twice as $key => $row) {
        $order .= "$key: $row[v]";
        break;
    }
    foreach ([1, 2] as $time) {
        foreach ($twice as $key => $row) {
            $order .= ", $time $key: $row[v]";
            foreach ($twice as $key => $inner) {
                $order .= ", inside $key: $inner[v]";
            }
        }
        $twice->execute();
    }
    $seen[] = $order;
    foreach ([[PDO::FETCH_CLASS, Row::class], [PDO::FETCH_INTO, new Row()], [PDO::FETCH_LAZY]] as $mode) {
        foreach ($pdo->query($all, ...$mode) as $row) {
            $seen[] = [$row::class, $row->v];
        }
    }
    $seen[] = $pdo->query($all, PDO::FETCH_CLASS, Row::class, [1, 2])->fetchAll();
    $seen[] = $pdo->query($all)->fetchObject(Row::class, ['x']);
    $into = new Row();
    $seen[] = $pdo->query($all, PDO::FETCH_INTO, $into)->fetch() === $into ? $into : 'another';
    $seen[] = $pdo->query($all)->fetchAll(PDO::FETCH_KEY_PAIR);
    $seen[] = $pdo->query('SELECT v, id FROM t')->fetchAll(PDO::FETCH_GROUP | PDO::FETCH_COLUMN);
    $seen[] = $pdo->query($all)->fetchAll(PDO::FETCH_FUNC, fn ($id, $v) => "$id: $v");
    $statement = $pdo->query($all);
    foreach ([PDO::FETCH_ASSOC, PDO::FETCH_OBJ, PDO::FETCH_LAZY] as $mode) {
        $seen[] = (array) $statement->fetch($mode);
    }
    $seen[] = $statement->fetch();
    $seen[] = $statement->closeCursor();
    $lazy = $pdo->query($all)->fetch(PDO::FETCH_LAZY);
    $seen[] = [$lazy->id, $lazy->v, $lazy->queryString];

    $bound = $pdo->prepare('SELECT id, v, data FROM t WHERE id > ? ORDER BY id');
    $bound->bindColumn(1, $id, PDO::PARAM_INT);
    $bound->bindColumn('v', $text);
    $bound->bindColumn(3, $lob, PDO::PARAM_LOB);
    $bound->execute([0]);
    while ($bound->fetch(PDO::FETCH_BOUND)) {
        $seen[] = [$id, $text, is_resource($lob) ? stream_get_contents($lob) : $lob];
    }
    $bound->setFetchMode(PDO::FETCH_COLUMN, 1);
    $bound->execute([1]);
    $seen[] = $bound->fetchAll();
    $seen[] = $bound->getColumnMeta(0)['name'];
    ob_start();
    $insert->debugDumpParams();
    $seen[] = ob_get_clean();
    $seen[] = iterator_to_array($pdo->query($all)->getIterator());
    foreach (['fetch', 'nextRowset', 'errorInfo'] as $method) {
        try {
            $seen[] = $bound->$method();
        } catch (PDOException $error) {
            $seen[] = $error->getMessage();
        }
    }
    foreach ([fn () => $bound->bindValue(7, 1) && $bound->execute(), fn () => $bound->setFetchMode(99), fn () => $pdo->query('')] as $wrong) {
        try {
            $seen[] = $wrong();
        } catch (PDOException | ValueError $error) {
            $seen[] = $error::class . $error->getMessage();
        }
    }

    return $seen;
}

$native = program(new PDO(sqliteFile()));
$pooled = program($pdo = sqlite());
foreach ($native as $i => $seen) {
    if ($seen != $pooled[$i]) {
        echo "PDO: ", print_r($seen, true), "Async\\PDO: ", print_r($pooled[$i], true);
    }
}
echo count($pooled), ' of ', count($native), ', ', used($pdo);

class Lines extends PDOStatement
{
    private function __construct(public readonly string $prefix)
    {
    }

    public function lines(): string
    {
        return $this->prefix . implode(" $this->prefix", $this->fetchAll(PDO::FETCH_COLUMN, 1));
    }
}

$pdo->setAttribute(PDO::ATTR_STATEMENT_CLASS, [Lines::class, ['> ']]);
echo together(fn () => $pdo->query('SELECT id, v FROM t')->lines())[0], "\n";
echo thrown(fn () => $pdo->setAttribute(PDO::ATTR_STATEMENT_CLASS, [PDOStatement::class . 's']));
echo thrown(fn () => $pdo->setAttribute(PDO::ATTR_STATEMENT_CLASS, [\PDOStatement::class]));
echo thrown(fn () => $pdo->prepare('SELECT 1', [PDO::ATTR_STATEMENT_CLASS => [\PDOStatement::class]]));
$statement = $pdo->query('SELECT 1');
var_dump($pdo->query('SELECT 1') instanceof PDOStatement, $pdo->getAttribute(PDO::ATTR_STATEMENT_CLASS)[0]);
?>
--EXPECTF--
45 of 45, 1/0/1
> first > second > third
TypeError: %SPDO::ATTR_STATEMENT_CLASS class must be a valid class
PDOException: PDO::ATTR_STATEMENT_CLASS: PDOStatement must extend Async\PDOStatement
PDOException: PDO::ATTR_STATEMENT_CLASS: PDOStatement must extend Async\PDOStatement
bool(true)
string(5) "Lines"
