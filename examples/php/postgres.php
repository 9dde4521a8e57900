<?php

/**
 * 100 coroutines ask PostgreSQL for something that takes a tenth of a second, through 10 connections; beside them PDO does
 * the same, which waits for each answer before it asks for the next. The server is one that this starts itself.
 *
 * `make demo-postgres`, or php examples/php/postgres.php after make. Needs php-pgsql and postgresql.
 */

declare(strict_types=1);

use Async\PgConnection;
use Async\Pool;

use function Async\await_all;
use function Async\spawn;

require __DIR__ . '/../../bridge/php/autoload.php';
require __DIR__ . '/postgres_server.php';

const ASKED = 100;
const QUESTION = 'SELECT pg_sleep(0.1), $1::int * 2 AS twice';

/** On a terminal in one line, which is drawn again; elsewhere a line for each quarter. */
function show(string $who, int $answered, float $begin): void
{
    $isTerminal = stream_isatty(STDOUT);
    if ($isTerminal || $answered % (ASKED / 4) === 0) {
        $bar = str_pad(str_repeat('#', intdiv($answered * 40, ASKED)), 40, '.');
        $line = sprintf('%-28s %s %3d of %d, %5.2f s', $who, $bar, $answered, ASKED, microtime(true) - $begin);
        echo $isTerminal ? "\r" : '', $line;
        echo $isTerminal && $answered < ASKED ? '' : "\n";
    }
}

$server = new PostgresServer();

$pool = new Pool(
    factory: fn() => new PgConnection($server->dsn()),
    destructor: fn(PgConnection $connection) => $connection->close(),
    beforeRelease: fn(PgConnection $connection) => $connection->isIdle(),
    max: 10,
);
$answered = 0;
$begin = microtime(true);
$ask = function (int $number) use ($pool, $begin, &$answered): int {
    $twice = $pool->with(fn(PgConnection $connection) => $connection->query(QUESTION, [$number])[0]['twice']);
    show('coroutines, 10 connections', ++$answered, $begin);
    return $twice;
};
$right = await_all(array_map(fn(int $number) => spawn($ask, $number), range(1, ASKED)));
$together = microtime(true) - $begin;
$connections = $pool->count();
$pool->close();

$begin = microtime(true);
$pdo = new PDO("pgsql:{$server->dsn()}");
$statement = $pdo->prepare(strtr(QUESTION, ['$1' => '?']));
$same = [];
for ($number = 1; $number <= ASKED; $number++) {
    $statement->execute([$number]);
    $same[] = $statement->fetch(PDO::FETCH_ASSOC)['twice'];
    show('PDO', $number, $begin);
}
$apart = microtime(true) - $begin;

printf("%.1f times as fast, over %s\n", $apart / $together, extension_loaded('asyncpool') ? 'the extension' : 'FFI');
$good = $right === $same && $right[ASKED - 1] === 2 * ASKED && $connections === 10;
echo $good ? "all is right\n" : "something is wrong\n";
exit($good ? 0 : 1);
