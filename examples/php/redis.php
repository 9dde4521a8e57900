<?php

/**
 * 100 coroutines read from Redis through at most 20 connections, to a server that this starts itself.
 *
 * Needs php-redis and redis-server. `make demo-php`, or php examples/php/redis.php [COROUTINES] after make. With the
 * extension (`make php-ext`): php -d extension=$PWD/build/php-ext/asyncpool.so examples/php/redis.php
 */

declare(strict_types=1);

use Async\Pool;

use function Async\await;
use function Async\delay;
use function Async\spawn;

require __DIR__ . '/../../bridge/php/autoload.php';
require __DIR__ . '/redis_server.php';

$all = max(20, (int) ($argv[1] ?? 100));
$server = new RedisServer();
$server->connect()->mSet(array_combine(
    array_map(fn($i) => "key:$i", range(0, $all - 1)),
    array_map(fn($i) => "value $i", range(0, $all - 1)),
));

$opened = $closed = 0;
$redis = new Pool(
    factory: function () use ($server, &$opened) {
        $conn = new Redis();
        $conn->connect($server->socket);
        $opened++;
        return $conn;
    },
    destructor: function ($conn) use (&$closed) {
        $conn->close();
        $closed++;
    },
    healthcheck: fn($conn) => $conn->ping(),
    min: 2,
    max: 20,
    healthcheckInterval: 15000,
);
echo extension_loaded('asyncpool') ? 'with the extension' : 'over FFI';
echo ", made up front: {$redis->count()} connections\n";

// php-redis blocks while it waits for an answer, so what makes coroutines meet here is that each thinks for
// a moment with the connection in hand.
$busy = $most = 0;
$coroutines = [];
for ($i = 0; $i < $all; $i++) {
    $coroutines[] = spawn(function () use ($redis, $i, &$busy, &$most) {
        $conn = $redis->acquire(timeout: 60_000);
        $most = max($most, ++$busy);
        try {
            delay(mt_rand(1, 5));
            return $conn->get("key:$i");
        } finally {
            $busy--;
            $redis->release($conn);
        }
    });
}
$results = array_map(fn($c) => await($c), $coroutines);

$right = count(array_filter($results, fn($value, $i) => $value === "value $i", ARRAY_FILTER_USE_BOTH));
echo "read: $right of $all values, with at most $most connections in use at once\n";
echo "idle: {$redis->idleCount()}, lent: {$redis->activeCount()}\n";

$redis->close();
echo "opened: $opened, closed: $closed\n";

$good = $right === $all && $most > 1 && $most <= 20 && $opened <= 20 && $closed === $opened;
echo $good ? "all is right\n" : "something is wrong\n";
exit($good ? 0 : 1);
