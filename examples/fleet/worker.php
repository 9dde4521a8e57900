#!/usr/bin/env php
<?php

/**
 * A process of the fleet in PHP: what worker.c is in C, with coroutines for threads.
 *
 *     worker.php RESOURCE BUDGET NAME LIMIT LEASE_MS
 */

declare(strict_types=1);

use Async\Pool;
use Async\PoolException;
use Async\RedisBudget;

use function Async\await;
use function Async\delay;
use function Async\readable;
use function Async\spawn;

require __DIR__ . '/../../bridge/php/autoload.php';

const TASKS = 16;
const USE_MS = 20;
const RETRY_MS = 100;

[, $resource, $socket, $name, $limit, $leaseMs] = $argv;

// While Redis is away a new process has nothing to go on with.
for ($budget = null; $budget === null;) {
    try {
        $budget = new RedisBudget($socket, 'fleet', (int) $limit, shareMin: 1, leaseMs: (int) $leaseMs);
    } catch (PoolException) {
        delay(RETRY_MS);
    }
}

$pool = new Pool(
    factory: function () use ($resource, $name): Redis {
        $connection = new Redis();
        $connection->connect($resource);
        $connection->client('setname', $name);
        return $connection;
    },
    // The server notices a moment later that a client has gone. Once it has answered QUIT, it has.
    destructor: fn(Redis $connection) => $connection->rawCommand('QUIT') && $connection->close(),
    max: TASKS,
    budget: $budget,
);

$busy = 0;
$over = $failed = false;
$task = function (int $number) use ($pool, $name, &$busy, &$over, &$failed): void {
    while (!$over) {
        if ($number >= $busy) {
            delay(USE_MS);
            continue;
        }
        try {
            $pool->with(function (Redis $connection) use ($name): void {
                delay(USE_MS);
                $connection->incr("work:$name");
            });
        } catch (Throwable $error) {
            if (!$over) {
                $failed = true;
                fwrite(STDERR, "$name: {$error->getMessage()}\n");
                delay(RETRY_MS);
            }
        }
    }
};
$tasks = array_map(fn(int $number) => spawn($task, $number), range(0, TASKS - 1));

stream_set_blocking(STDIN, false);
while (!feof(STDIN)) {
    readable(STDIN);
    while (($line = fgets(STDIN)) !== false) {
        $busy = (int) $line;
    }
}
$over = true;
$pool->close();
array_map(await(...), $tasks);
$budget->close();
exit($failed ? 1 : 0);
