<?php

/**
 * What the scripts of the bench share: the mode they are told to run in, the timed loop, the report.
 */

declare(strict_types=1);

namespace Bench;

const NOT_HERE = 77; // this cell cannot be measured with this PHP

/** Ends the script if PHP does not run in the mode that the last argument names: "jit" or "plain". */
function check_mode(array $arguments): void
{
    $wanted = end($arguments) === 'jit';
    $status = function_exists('opcache_get_status') ? opcache_get_status(false) : false;
    $is = (bool) ($status['jit']['on'] ?? false);
    if ($is !== $wanted) {
        fwrite(STDERR, $wanted ? "PHP has no JIT here\n" : "PHP has its JIT on\n");
        exit($wanted ? NOT_HERE : 1);
    }
}

/** Ends the script if it is the extension that is to be measured and is not there, or the other way round. */
function check_binding(string $what): void
{
    if (extension_loaded('asyncpool') !== ($what === 'ext')) {
        fwrite(STDERR, $what === 'ext' ? "PHP has not the extension asyncpool here\n" : "the extension is in the way\n");
        exit($what === 'ext' ? NOT_HERE : 1);
    }
}

/**
 * Calls $times until the seconds are over; answers the nanoseconds for each of what it counts.
 *
 * @param callable(int): void $times does it so often
 */
function timed(float $seconds, callable $times): float
{
    $times(10_000); // caches, JIT
    $begin = hrtime(true);
    $end = $begin + (int) ($seconds * 1e9);
    $count = 0;
    do {
        $times(10_000);
        $count += 10_000;
        $now = hrtime(true);
    } while ($now < $end);

    return ($now - $begin) / $count;
}

function report(float $ns): void
{
    printf("{\"ns\":%.2f}\n", $ns);
}

/** The C function that does nothing. */
function noop(): \FFI
{
    return \FFI::cdef('void noop(void);', __DIR__ . '/../../build/bench/noop.so');
}
