<?php

/**
 * What a call into Go costs from fibers, whose stacks Go has not seen before, while so many of them are alive.
 *
 *     php entering.php go|noop SECONDS FIBERS MODE
 *
 * FIBERS 0 is the script's main flow. Otherwise the fibers make one call each in turns. noop is the same with a C
 * function that does nothing: what is left is the fibers' own time.
 */

declare(strict_types=1);

namespace Bench;

require __DIR__ . '/report.php';
require __DIR__ . '/../../bridge/php/autoload.php';

check_mode($argv);
[, $what, $seconds, $fibers] = $argv;

switch ($what) {
    case 'noop':
        $c = noop();
        $call = static fn() => $c->noop();
        break;
    case 'go':
        $c = \Async\Internal\Library::ffi();
        $config = $c->new('pool_config_t');
        $config->struct_size = \FFI::sizeof($config);
        $config->flags = $c->POOL_F_HOST_DRIVEN;
        $config->max_size = 1;
        $handle = $c->new('uintptr_t');
        if ($c->pool_create_ex(\FFI::addr($config), \FFI::addr($handle)) !== 0) {
            throw new \RuntimeException('pool_create_ex() failed');
        }
        $pool = $handle->cdata;
        $call = static fn() => $c->pool_activate($pool);
        break;
    default:
        fwrite(STDERR, "$what: what is that?\n");
        exit(2);
}

$alive = [];
for ($i = 0; $i < $fibers; $i++) {
    $alive[] = $fiber = new \Fiber(static function () use ($call): void {
        while (true) {
            \Fiber::suspend();
            $call();
        }
    });
    $fiber->start();
}

report(timed((float) $seconds, $alive === []
    ? static function (int $n) use ($call): void {
        while ($n-- > 0) {
            $call();
        }
    }
    : static function (int $n) use ($alive): void {
        for ($i = 0; $n-- > 0; $i = ($i + 1) % \count($alive)) {
            $alive[$i]->resume();
        }
    }));
