<?php

/**
 * What a coroutine needs that waits in line, beside what a raw fiber needs that is suspended: bytes of PHP's memory.
 *
 *     php waiting.php pool|ext MODE
 */

declare(strict_types=1);

namespace Bench;

require __DIR__ . '/report.php';
require __DIR__ . '/../../bridge/php/autoload.php';

const COUNT = 500;

check_mode($argv);
check_binding($argv[1]);

/** Bytes for each of so many that $begin has begun. */
function cost(\Closure $begin): float
{
    $all = array_fill(0, COUNT, null);
    $before = memory_get_usage();
    for ($i = 0; $i < COUNT; $i++) {
        $all[$i] = $begin();
    }
    \Async\suspend();

    return (memory_get_usage() - $before) / COUNT;
}

$pool = new \Async\Pool(factory: fn() => 'the only one', max: 1);
$pool->acquire();
\Async\suspend();
$fibers = cost(function () use ($pool): \Fiber {
    $fiber = new \Fiber(function () use ($pool): void {
        \Fiber::suspend();
    });
    $fiber->start();

    return $fiber;
});
$waiting = cost(fn() => \Async\spawn(function () use ($pool): void {
    try {
        $pool->acquire();
    } catch (\Async\PoolException) { // closed
    }
}));
if ($pool->waitingCount() !== COUNT) {
    fwrite(STDERR, "not all of them stand in line\n");
    exit(1);
}
$pool->close();
printf("{\"bytes\":%.0f}\n", $waiting - $fibers);
