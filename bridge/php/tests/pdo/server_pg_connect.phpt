--TEST--
PgConnection: who cannot connect is told, and others run meanwhile (P90)
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

use Async\AsyncCancellation;
use Async\PgConnection;

use function Async\await;
use function Async\readable;
use function Async\spawn;

$dsn = libpq(new Postgres());
echo preg_replace('~".*?"~', '...', refused(fn () => new PgConnection("$dsn host=/no/such/folder"))), "\n";
echo preg_replace('~".*?"~', '...', refused(fn () => new PgConnection("$dsn dbname=nowhere"))), "\n";
echo preg_replace('~".*?"~', '...', refused(fn () => new PgConnection('nonsense'))), "\n";

// It takes connections, and says nothing.
$silent = stream_socket_server('tcp://127.0.0.1:0');
$port = substr(strrchr(stream_socket_get_name($silent, false), ':'), 1);
$connecting = spawn(fn () => new PgConnection("hostaddr=127.0.0.1 port=$port user=nobody sslmode=disable gssencmode=disable"));
readable($silent);
$client = stream_socket_accept($silent);
readable($client);
$connecting->cancel();
try {
    await($connecting);
} catch (AsyncCancellation $cancellation) {
    echo $cancellation->getMessage(), "\n";
}
fread($client, 1000);
var_dump(readable($client), fread($client, 1), feof($client)); // nothing is left of it

// It goes away before it has answered.
$connecting = spawn(fn () => new PgConnection("hostaddr=127.0.0.1 port=$port user=nobody sslmode=disable gssencmode=disable"));
readable($silent);
$client = stream_socket_accept($silent);
readable($client);
fread($client, 1000);
fclose($client);
echo substr(refused(fn () => await($connecting)), 0, 5), "\n";
?>
--EXPECT--
08000 PostgreSQL cannot be reached: Unable to connect to PostgreSQL server: connection to server on socket ... failed: No such file or directory
08006 connection to server on socket ... failed: FATAL:  database ... does not exist
08000 PostgreSQL cannot be reached: Unable to connect to PostgreSQL server: missing ... after ... in connection info string
The coroutine was cancelled
bool(true)
string(0) ""
bool(true)
08006
