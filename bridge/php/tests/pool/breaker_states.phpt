--TEST--
Pool: the breaker starts ACTIVE, any state follows any other (B117)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

use Async\CircuitBreakerState;

$pool = new Pool(factory: counter());
var_dump($pool->getState() === CircuitBreakerState::ACTIVE);
foreach (['deactivate', 'recover', 'activate', 'recover', 'deactivate', 'deactivate', 'activate'] as $move) {
    $pool->$move();
    echo $pool->getState()->name, "\n";
}
$pool->close();
$pool->deactivate(); // a closed pool has no breaker to move
echo $pool->getState()->name, "\n";
?>
--EXPECT--
bool(true)
INACTIVE
RECOVERING
ACTIVE
RECOVERING
INACTIVE
INACTIVE
ACTIVE
ACTIVE
