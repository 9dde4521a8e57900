--TEST--
Pool: thousands of pools, also such that cannot be filled, leave no memory, thread or timer (R45, E6, P32)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$hook = fn() => true;
$pools = function (int $count) use ($hook): void {
    for ($i = 0; $i < $count; $i++) {
        $made = 0;
        $factory = function () use (&$made, $i): object {
            return $i % 2 && $made++ ? throw new RuntimeException('no more') : new stdClass();
        };
        try {
            $pool = new Pool($factory, $hook, $hook, $hook, $hook, min: 2, healthcheckInterval: 1);
            $pool->release($pool->acquire());
        } catch (RuntimeException) {
        }
        unset($pool, $factory);
    }
};
$threads = fn(): int => count(scandir('/proc/self/task'));
$resident = fn(): int => (int) explode(' ', file_get_contents('/proc/self/statm'))[1] * 4096;
$pools(1000);
gc_collect_cycles();
$before = [memory_get_usage(), $resident(), $threads()];
$pools(4000);
gc_collect_cycles();
var_dump(memory_get_usage() - $before[0] < 65536, $resident() - $before[1] < 4 << 20, $threads() - $before[2] < 4);
echo live(), "\n";
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
0
