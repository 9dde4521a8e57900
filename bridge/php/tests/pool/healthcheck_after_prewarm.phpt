--TEST--
Pool: passes begin when min has been made; there are none if that fails (B24)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

$ready = false;
$checks = $calls = 0;
$hooks = [
    'factory' => function () use (&$calls): int {
        $calls++;
        delay(5); // several intervals long

        return $calls < 4 ? $calls : throw new RuntimeException("factory($calls)");
    },
    'healthcheck' => function () use (&$ready, &$checks): bool {
        $ready || print("too early\n");
        $checks++;

        return true;
    },
];
$pool = new Pool(...$hooks, min: 3, healthcheckInterval: 1);
$ready = true;
while ($checks === 0) {
    delay(1);
}
$pool->close();
$checks = 0;
echo thrown(fn() => new Pool(...$hooks, min: 3, healthcheckInterval: 1));
delay(10);
var_dump($checks, $calls);
?>
--EXPECT--
RuntimeException: factory(4)
int(0)
int(4)
