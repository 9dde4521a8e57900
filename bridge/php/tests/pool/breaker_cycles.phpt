--TEST--
Pool: coroutines that cycle the breaker each see their own sequence, and it ends ACTIVE (B122)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$pool = new Pool(factory: counter());
$cycle = function (string $name) use ($pool): void {
    for ($i = 0; $i < 2; $i++) {
        $seen = [$pool->getState()->name];
        foreach (['deactivate', 'recover', 'activate'] as $move) {
            $pool->$move();
            $seen[] = $pool->getState()->name;
        }
        echo "$name: ", implode(' ', $seen), "\n";
        suspend();
    }
};
$tasks = array_map(fn($name) => spawn($cycle, $name), ['A', 'B', 'C']);
array_map(fn($task) => await($task), $tasks);
echo $pool->getState()->name, "\n";
?>
--EXPECT--
A: ACTIVE INACTIVE RECOVERING ACTIVE
B: ACTIVE INACTIVE RECOVERING ACTIVE
C: ACTIVE INACTIVE RECOVERING ACTIVE
A: ACTIVE INACTIVE RECOVERING ACTIVE
B: ACTIVE INACTIVE RECOVERING ACTIVE
C: ACTIVE INACTIVE RECOVERING ACTIVE
ACTIVE
