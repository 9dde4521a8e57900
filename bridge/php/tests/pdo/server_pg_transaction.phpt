--TEST--
PgConnection: transaction() commits or rolls back, whatever its function does; inside another it is a savepoint (P90)
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

use function Async\await;
use function Async\current_coroutine;
use function Async\delay;
use function Async\spawn;

$server = new Postgres();
$pg = new PgConnection(libpq($server));
$pg->query('CREATE TABLE things (name text PRIMARY KEY)');
$add = fn (string $name) => $pg->query('INSERT INTO things VALUES ($1)', [$name]);
$all = fn () => implode(' ', array_column($pg->query('SELECT name FROM things ORDER BY name'), 'name'));

var_dump($pg->transaction(fn () => [$pg->isIdle(), $add('kept')][0]), $pg->isIdle());
echo refused(fn () => $pg->transaction(function () use ($add): void {
    $add('lost');
    throw new LogicException('thrown in it');
})), "\n";
echo refused(fn () => $pg->transaction(function () use ($add): void {
    $add('lost');
    $add('kept');
})), "\n";
// Its function has swallowed what failed: nothing of it can be committed, so nobody may believe that it was.
echo refused(fn () => $pg->transaction(function () use ($add): void {
    $add('lost');
    refused(fn () => $add('kept'));
})), "\n";
$pg->transaction(function () use ($pg, $add): void {
    $add('outer');
    refused(fn () => $pg->transaction(function () use ($add): void {
        $add('inner, lost');
        $add('kept');
    }));
    $pg->transaction(fn () => $add('inner, kept'));
});
echo $all(), "\n";

// Cancelled outside of a query: rolled back. The connection lost in it: who catches that hears it again.
$cancelled = spawn(fn () => $pg->transaction(function () use ($add): void {
    $add('lost');
    current_coroutine()->cancel();
    delay(1);
}));
echo refused(fn () => await($cancelled)), "\n";
echo $all(), "\n";
$id = $pg->query('SELECT pg_backend_pid() AS id')[0]['id'];
echo refused(fn () => $pg->transaction(function () use ($add, $server, $id): void {
    $add('lost');
    $server->kill($id);
    $add('lost, too');
})), "\n";
var_dump($pg->isOpen());
$pg = new PgConnection(libpq($server));
echo implode(' ', array_column($pg->query('SELECT name FROM things ORDER BY name'), 'name')), "\n";
?>
--EXPECT--
bool(false)
bool(true)
LogicException thrown in it
23505 ERROR:  duplicate key value violates unique constraint "things_pkey"
25P02 A statement of the transaction has failed
inner, kept kept outer
Async\AsyncCancellation The coroutine was cancelled
inner, kept kept outer
57P01 FATAL:  terminating connection due to administrator command
bool(false)
inner, kept kept outer
