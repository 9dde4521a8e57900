--TEST--
Pool: every hook and report may suspend, many at a time, resumed in any order (E2)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$pool = new Pool(
    factory: function () {
        delay(mt_rand(0, 2));

        return new stdClass();
    },
    destructor: fn() => delay(mt_rand(0, 2)),
    beforeAcquire: fn() => delay(mt_rand(0, 2)) ?? mt_rand(0, 4) > 0,
    beforeRelease: fn() => delay(mt_rand(0, 2)) ?? mt_rand(0, 4) > 0,
    healthcheck: fn() => delay(mt_rand(0, 2)) ?? mt_rand(0, 4) > 0,
    min: 2,
    max: 4,
    healthcheckInterval: 1,
);
ob_start();
$pool->setCircuitBreakerStrategy(teller(fn() => delay(mt_rand(0, 2))));
$tasks = [];
for ($i = 0; $i < 20; $i++) {
    $tasks[] = spawn(function () use ($pool): void {
        for ($cycle = 0; $cycle < 5; $cycle++) {
            $pool->release($pool->acquire());
        }
    });
}
array_map(fn($task) => await($task), $tasks);
$reports = substr_count(ob_get_clean(), "\n");
$pool->close();
while ($pool->count() > 0) {
    delay(1); // a check that was under way
}
var_dump($reports);
unset($pool, $tasks);
delay(5);
echo live(), "\n";
?>
--EXPECT--
int(100)
0
