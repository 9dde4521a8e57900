<?php

/**
 * What a cycle costs where fibers wait for each other: each takes a resource, lets all others have their turn,
 * and gives it back.
 *
 *     php fibers.php pool|ext|queue SECONDS FIBERS PLACES MODE
 *
 * pool is Async\Pool with coroutines of Async\spawn(), ext the same with the extension in place of FFI, queue is
 * written by hand on fibers.
 */

declare(strict_types=1);

namespace Bench;

require __DIR__ . '/report.php';
require __DIR__ . '/QueuePool.php';
require __DIR__ . '/Item.php';
require __DIR__ . '/../../bridge/php/autoload.php';

check_mode($argv);
[, $what, $seconds, $fibers, $places] = $argv;
check_binding($what);

/** Counts the cycles between the first look at the clock and the last. One fiber looks, now and then. */
final class Clock
{
    public bool $over = false;
    public int $cycles = 0;
    public float $ns = 0;
    private int $begin = 0;
    private int $before = 0;

    public function __construct(private float $seconds)
    {
    }

    public function look(): void
    {
        $now = hrtime(true);
        if ($this->begin === 0) {
            $this->begin = $now;
            $this->before = $this->cycles;
        } elseif ($now - $this->begin >= $this->seconds * 1e9) {
            $this->over = true;
            $this->ns = ($now - $this->begin) / ($this->cycles - $this->before);
        }
    }
}

$clock = new Clock((float) $seconds);
$factory = fn() => new Item();

switch ($what) {
    case 'pool':
    case 'ext':
        $pool = new \Async\Pool(factory: $factory, min: (int) $places, max: (int) $places);
        $body = static function (bool $looks) use ($pool, $clock): void {
            for ($i = 1; !$clock->over; $i++) {
                $item = $pool->acquire();
                $item->begin();
                \Async\suspend();
                $item->end();
                $pool->release($item);
                $clock->cycles++;
                if ($looks && $i % 16 === 0) {
                    $clock->look();
                }
            }
        };
        $all = [];
        for ($i = 0; $i < $fibers; $i++) {
            $all[] = \Async\spawn($body, $i === 0);
        }
        foreach ($all as $coroutine) {
            \Async\await($coroutine);
        }
        break;
    case 'queue':
        $turns = new Turns();
        $pool = new QueuePool($turns, $factory, (int) $places);
        $body = static function (bool $looks) use ($pool, $turns, $clock): void {
            for ($i = 1; !$clock->over; $i++) {
                $item = $pool->acquire();
                $item->begin();
                $turns->pass();
                $item->end();
                $pool->release($item);
                $clock->cycles++;
                if ($looks && $i % 16 === 0) {
                    $clock->look();
                }
            }
        };
        for ($i = 0; $i < $fibers; $i++) {
            $turns->add(new \Fiber(static fn() => $body($i === 0)));
        }
        $turns->run();
        break;
    default:
        fwrite(STDERR, "$what: what is that?\n");
        exit(2);
}

report($clock->ns);
