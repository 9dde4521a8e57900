--TEST--
Pool: the guide's strategy opens the breaker after five failures, inside its report (B129)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

use Async\CircuitBreakerStrategy;

class MyStrategy implements CircuitBreakerStrategy
{
    private int $failures = 0;

    public function reportSuccess(mixed $source): void {
        $this->failures = 0;
        $source->activate();
    }

    public function reportFailure(mixed $source, \Throwable $error): void {
        $this->failures++;
        if ($this->failures >= 5) {
            $source->deactivate();
        }
    }
}

$broken = true;
$pool = new Pool(factory: fn() => new stdClass(), beforeRelease: function () use (&$broken): bool {
    return !$broken;
});
$pool->setCircuitBreakerStrategy(new MyStrategy());
for ($i = 0; $i < 5; $i++) {
    echo $pool->getState()->name, "\n";
    $pool->release($pool->acquire());
}
echo thrown(fn() => $pool->acquire());
$pool->recover();
$broken = false;
$pool->release($pool->acquire());
echo $pool->getState()->name, "\n";
?>
--EXPECT--
ACTIVE
ACTIVE
ACTIVE
ACTIVE
ACTIVE
Async\ServiceUnavailableException: Service is unavailable (circuit breaker is open)
ACTIVE
