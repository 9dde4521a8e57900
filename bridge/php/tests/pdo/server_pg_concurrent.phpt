--TEST--
PgConnection: while one waits for the server, others run; a pool lends them, each to one coroutine (P90)
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
use Async\Pool;

use function Async\await;
use function Async\await_all;
use function Async\spawn;
use function Async\suspend;

$server = new Postgres();
$pool = new Pool(
    factory: fn () => new PgConnection(libpq($server)),
    destructor: fn (PgConnection $pg) => $pg->close(),
    beforeRelease: fn (PgConnection $pg) => $pg->isIdle(),
    max: 4,
);
// None comes back before all four are there: the server has them meet.
$pool->with(fn (PgConnection $pg) => $pg->query('CREATE TABLE meets (n int)'));
$meet = fn (int $number) => $pool->with(function (PgConnection $pg) use ($number): int {
    $pg->query('INSERT INTO meets VALUES ($1)', [$number]);
    while ($pg->query('SELECT count(*) AS n FROM meets')[0]['n'] < 4) {
    }
    return $number;
});
echo implode(', ', await_all(array_map(fn ($number) => spawn($meet, $number), range(1, 8)))), "\n";
echo counts($pool);

// Others use the server, too, and its locks: these are this test's.
$lock = fn (int $number): string => '(' . getmypid() . ", $number)";
$isWaited = fn (): bool => $server->admin()
    ->query('SELECT count(*) FROM pg_locks WHERE NOT granted AND classid = ' . getmypid())->fetchColumn() > 0;
$held = spawn(fn () => $pool->with(fn (PgConnection $pg) => $pg->query("SELECT pg_advisory_lock{$lock(7)}")));
await($held);
$pg = $pool->acquire();
$holder = $pool->acquire();
$holder->query('SELECT pg_advisory_unlock_all()');
$holder->query("SELECT pg_advisory_lock{$lock(8)}");
$waiting = spawn(fn () => $pg->query("SELECT pg_advisory_lock{$lock(8)}"));
while (!$isWaited()) {
    suspend();
}
echo refused(fn () => $pg->query('SELECT 1')), "\n";
$holder->query("SELECT pg_advisory_unlock{$lock(8)}");
await($waiting);
echo json_encode($pg->query('SELECT 1 AS n')), "\n";

// Cancelled in a query: the server stops it, the connection is closed, and the pool makes another.
$holder->query("SELECT pg_advisory_lock{$lock(9)}");
$waiting = spawn(fn () => $pool->with(fn (PgConnection $pg) => $pg->query("SELECT pg_advisory_lock{$lock(9)}")));
while (!$isWaited()) {
    suspend();
}
$waiting->cancel();
echo refused(fn () => await($waiting)), "\n";
while ($isWaited()) {
    suspend();
}
echo counts($pool);

// Closed by another while it waits.
$waiting = spawn(fn () => $pg->query("SELECT pg_advisory_lock{$lock(9)}"));
while (!$isWaited()) {
    suspend();
}
$pg->close();
echo refused(fn () => await($waiting)), "\n";
$pool->release($pg);
// Who waits when a coroutine ends the script is dropped, and nobody waits for the server then.
spawn(fn () => $pool->with(fn (PgConnection $pg) => $pg->query("SELECT pg_advisory_lock{$lock(9)}")));
while (!$isWaited()) {
    suspend();
}
echo counts($pool);
await(spawn(fn () => exit));
?>
--EXPECT--
1, 2, 3, 4, 5, 6, 7, 8
4/0/4
Async\AsyncException Another coroutine uses this connection: let a pool lend each one of its own
[{"n":1}]
Async\AsyncCancellation The coroutine was cancelled
1/2/3
Async\AsyncException The stream was closed while a coroutine waited for it
0/2/2
