--TEST--
Pool: those who wait in line when a coroutine ends the script leave it; their finally blocks run (P27)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter(), destructor: hook('destructor'), max: 1);
$held = $pool->acquire();
foreach ([1, 2] as $number) {
    spawn(function () use ($pool, $number): void {
        try {
            $pool->acquire();
        } finally {
            echo "$number leaves\n";
        }
    });
}
suspend();
register_shutdown_function(fn() => print('shutdown ' . counts($pool)));
spawn(fn() => exit());
suspend();
echo "not reached\n";
?>
--EXPECT--
factory(1)
shutdown 0/1/1
1 leaves
2 leaves
