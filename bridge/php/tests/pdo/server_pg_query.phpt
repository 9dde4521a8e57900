--TEST--
PgConnection: rows as arrays with PHP's values, parameters, statements prepared by their texts (P90)
--EXTENSIONS--
pgsql
pdo_pgsql
--SKIPIF--
<?php
require __DIR__ . '/servers.inc';
skipWithoutServers('pgsql');
?>
--FILE--
<?php

require __DIR__ . '/pg.inc';

use Async\PgConnection;

$pg = new PgConnection(libpq(new Postgres()));
var_dump($pg->query(
    'SELECT $1::int AS i, $2::bool AS b, $3::float8 AS f, NULL AS n, $4::bytea AS y, 1.50::numeric AS d, $5::text AS t',
    [5, false, 1.5, '\x00ff', "it's"],
) === [['i' => 5, 'b' => false, 'f' => 1.5, 'n' => null, 'y' => "\x00\xff", 'd' => '1.50', 't' => "it's"]]);
var_dump($pg->query("SELECT 'Infinity'::float8 AS a, true AS b")[0] === ['a' => INF, 'b' => true]);
var_dump($pg->query('CREATE TABLE things (id serial PRIMARY KEY, name text UNIQUE)'));
foreach (['one', 'two', null] as $name) {
    $pg->query('INSERT INTO things (name) VALUES ($1)', [$name]);
}
echo json_encode($pg->query('INSERT INTO things (name) VALUES ($1) RETURNING id', ['four'])), "\n";
echo json_encode($pg->query('SELECT name FROM things ORDER BY id')), "\n";
var_dump($pg->query('SELECT 1 WHERE false'), $pg->query(''));

// A text is prepared once; what becomes of the statement outside is noticed, at the latest by who met it.
$count = 'SELECT count(*) AS n FROM pg_prepared_statements WHERE statement = $1';
$pg->query($count, ['']);
$pg->query('SELECT 7');
$pg->query('SELECT 7');
var_dump($pg->query($count, ['SELECT 7'])[0]['n']);
$pg->query('DISCARD ALL');
var_dump($pg->query('SELECT 7 AS n'), $pg->query($count, ['SELECT 7'])[0]['n']);
for ($i = 0; $i < 300; $i++) {
    $pg->query("SELECT $i");
}
var_dump($pg->query('SELECT count(*) AS n FROM pg_prepared_statements')[0]['n'] <= 200);

// Larger than any buffer, there and back.
var_dump(strlen($pg->query('SELECT $1::text AS t', [str_repeat('.', 10_000_000)])[0]['t']));

foreach ([
    'SELEC', 'SELECT 1/0', 'SELECT 1; SELECT 2', "INSERT INTO things (name) VALUES ('one')", 'COPY things TO STDOUT',
    'COPY things FROM STDIN',
] as $sql) {
    echo refused(fn () => $pg->query($sql)), "\n";
}
echo refused(fn () => $pg->query('SELECT $1::int', ['no number'])), "\n";
echo json_encode($pg->query('SELECT count(*) AS n FROM things')), "\n";
$pg->close();
$pg->close();
var_dump($pg->isOpen());
echo refused(fn () => $pg->query('SELECT 1')), "\n";
?>
--EXPECT--
bool(true)
bool(true)
array(0) {
}
[{"id":4}]
[{"name":"one"},{"name":"two"},{"name":null},{"name":"four"}]
array(0) {
}
array(0) {
}
int(1)
array(1) {
  [0]=>
  array(1) {
    ["n"]=>
    int(7)
  }
}
int(0)
bool(true)
int(10000000)
42601 ERROR:  syntax error at or near "SELEC"
22012 ERROR:  division by zero
42601 ERROR:  cannot insert multiple commands into a prepared statement
23505 ERROR:  duplicate key value violates unique constraint "things_name_key"
0A000 COPY is not possible here: use INSERT or SELECT
0A000 COPY is not possible here: use INSERT or SELECT
22P02 ERROR:  invalid input syntax for type integer: "no number"
[{"n":4}]
bool(false)
08003 The connection is closed
