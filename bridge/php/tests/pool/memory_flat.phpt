--TEST--
Pool: 100,000 cycles of every kind leave memory as it was (E6, P32)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: fn() => new stdClass(), max: 4);
$hooked = new Pool(
    factory: fn() => new stdClass(),
    destructor: fn() => null,
    beforeAcquire: fn() => true,
    beforeRelease: fn($r) => !($r->used = isset($r->used)),
    max: 2,
);
$strategy = new class () implements Async\CircuitBreakerStrategy {
    public function reportSuccess(mixed $source): void
    {
    }

    public function reportFailure(mixed $source, Throwable $error): void
    {
    }
};
$hooked->setCircuitBreakerStrategy($strategy);
$cycles = function (int $fast, int $slow) use ($pool, $hooked): void {
    for ($i = 0; $i < $fast; $i++) {
        $pool->release($pool->acquire());
    }
    for ($i = 0; $i < $slow; $i++) {
        $hooked->release($hooked->acquire());
        $i % 16 || thrown(fn() => $pool->release($hooked));
    }
};
$cycles(1000, 1000);
gc_collect_cycles();
$php = memory_get_usage();
$rss = (int) explode(' ', file_get_contents('/proc/self/statm'))[1];
$cycles(80_000, 20_000);
gc_collect_cycles();
var_dump(memory_get_usage() - $php < 4096);
var_dump(((int) explode(' ', file_get_contents('/proc/self/statm'))[1] - $rss) * 4096 < 2 << 20);
?>
--EXPECT--
bool(true)
bool(true)
