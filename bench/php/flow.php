<?php

/**
 * What a cycle costs where nobody waits: the script's main flow takes a resource and gives it back.
 *
 *     php flow.php WHAT SECONDS MODE
 *
 *     noop     one call of a C function that does nothing
 *     noops    two of them
 *     methods  two calls of an internal class's methods that do nothing
 *     kept     two of PHP's own that do hardly more: one hands out an object that it keeps, the other is given it
 *     take     pool_take() and pool_release() by FFI
 *     pool     acquire() and release() of Async\Pool
 *     ext      the same, with the extension in place of FFI
 *     queue    the same of a pool made of SplQueue
 */

declare(strict_types=1);

namespace Bench;

require __DIR__ . '/report.php';
require __DIR__ . '/QueuePool.php';
require __DIR__ . '/Item.php';
require __DIR__ . '/../../bridge/php/autoload.php';

const PLACES = 20;

check_mode($argv);
[, $what, $seconds] = $argv;
check_binding($what);

/** A pool with C hooks would need C, so it is host-driven, as Async\Pool's are, and filled by ops. */
function filled(\FFI $library): int
{
    $config = $library->new('pool_config_t');
    $config->struct_size = \FFI::sizeof($config);
    $config->flags = $library->POOL_F_HOST_DRIVEN;
    $config->min_size = $config->max_size = PLACES;
    $handle = $library->new('uintptr_t');
    if ($library->pool_create_ex(\FFI::addr($config), \FFI::addr($handle)) !== 0) {
        throw new \RuntimeException('pool_create_ex() failed');
    }
    $pool = $handle->cdata;
    $op = $library->new('pool_op_t');
    $ask = $library->new('pool_ask_t');
    $answer = $library->new('pool_answer_t');
    $ask->struct_size = \FFI::sizeof($ask);
    $answer->struct_size = \FFI::sizeof($answer);
    $address = \FFI::cast('uintptr_t', \FFI::addr($op))->cdata;
    $library->pool_op_fill($pool, $address);
    $kind = $library->pool_op_next($address, null, \FFI::addr($ask));
    for ($word = 1; $kind === $library->POOL_ASK_CREATE; $word++) {
        $answer->ok = true;
        $answer->resource = $word;
        $kind = $library->pool_op_next($address, \FFI::addr($answer), \FFI::addr($ask));
    }
    if ($library->pool_idle_count($pool) !== PLACES) {
        throw new \RuntimeException('the pool was not filled');
    }

    return $pool;
}

switch ($what) {
    case 'noop':
        $c = noop();
        $times = static function (int $n) use ($c): void {
            while ($n-- > 0) {
                $c->noop();
            }
        };
        break;
    case 'noops':
        $c = noop();
        $times = static function (int $n) use ($c): void {
            while ($n-- > 0) {
                $c->noop();
                $c->noop();
            }
        };
        break;
    case 'methods':
        $nothing = new \EmptyIterator();
        $times = static function (int $n) use ($nothing): void {
            while ($n-- > 0) {
                $nothing->rewind();
                $nothing->next();
            }
        };
        break;
    case 'kept':
        $keeper = new \IteratorIterator(new \EmptyIterator());
        $knows = new \SplObjectStorage();
        $knows->attach($keeper->getInnerIterator());
        $times = static function (int $n) use ($keeper, $knows): void {
            while ($n-- > 0) {
                $knows->contains($keeper->getInnerIterator());
            }
        };
        break;
    case 'take':
        $c = \Async\Internal\Library::ffi();
        $pool = filled($c);
        $times = static function (int $n) use ($c, $pool): void {
            while ($n-- > 0) {
                $c->pool_release($pool, $c->pool_take($pool));
            }
        };
        break;
    case 'pool':
    case 'ext':
    case 'queue':
        $pool = $what !== 'queue'
            ? new \Async\Pool(factory: fn() => new Item(), min: PLACES, max: PLACES)
            : new QueuePool(new Turns(), fn() => new Item(), PLACES);
        $times = static function (int $n) use ($pool): void {
            while ($n-- > 0) {
                $pool->release($pool->acquire());
            }
        };
        break;
    default:
        fwrite(STDERR, "$what: what is that?\n");
        exit(2);
}

report(timed((float) $seconds, $times));
