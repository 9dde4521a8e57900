<?php

/**
 * A process with a pool of a budget, which does what it is told, a line each, and answers with a line:
 *
 *     acquire MS    how many are lent, or why there is none
 *     release       gives one back; how many are lent
 *     info          JSON: used, leases, limit, all, processes, place, expired; idle and count of the pool
 *
 * member.php SOCKET LIMIT SHARE_MIN LEASE_MS. It ends with its input.
 */

declare(strict_types=1);

require __DIR__ . '/../../autoload.php';
require __DIR__ . '/join.inc';

use Async\Pool;

use function Async\readable;

[, $socket, $limit, $shareMin, $lease] = $argv;
$budget = joined([
    'address' => $socket, 'key' => 'b', 'limit' => (int) $limit, 'shareMin' => (int) $shareMin, 'leaseMs' => (int) $lease,
]);
$pool = new Pool(factory: fn() => new stdClass(), max: 4, budget: $budget);
$lent = [];
stream_set_blocking(STDIN, false);
while (readable(STDIN) && ($line = fgets(STDIN)) !== false) {
    $words = explode(' ', trim($line));
    try {
        $answer = match ($words[0]) {
            'acquire' => ($lent[] = $pool->acquire((int) $words[1])) ? count($lent) : null,
            'release' => $pool->release(array_pop($lent)) ?? count($lent),
            'info' => json_encode([...(array) $budget->info(), 'idle' => $pool->idleCount(), 'count' => count($pool)]),
        };
    } catch (Throwable $error) {
        $answer = $error::class . ': ' . $error->getMessage();
    }
    echo $answer, "\n";
}
