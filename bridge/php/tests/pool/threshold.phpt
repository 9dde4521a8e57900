--TEST--
Pool: setThreshold() opens the breaker after failures in a row, lets probes through, and closes it
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

$fails = true;
$pool = new Pool(
    factory: function () use (&$fails): stdClass { return $fails ? throw new Exception('down') : new stdClass(); },
    beforeRelease: fn(stdClass $resource): bool => !isset($resource->broken),
    max: 2,
);
$pool->setThreshold(2, 3_600_000);
echo thrown(fn() => $pool->acquire());
echo $pool->getState()->name, "\n";
echo thrown(fn() => $pool->acquire());
echo $pool->getState()->name, "\n";
echo thrown(fn() => $pool->acquire());
$pool->activate();

// refused resources count, too; then probes, of which two have to come back well
$fails = false;
$pool->setThreshold(1, 1, 2);
$resource = $pool->acquire();
$resource->broken = true;
$pool->release($resource);
echo $pool->getState()->name, "\n";
$served = 0;
while ($served < 2) {
    try {
        $pool->release($pool->acquire());
        echo $pool->getState()->name, "\n";
        $served++;
    } catch (Async\ServiceUnavailableException) {
        delay(1);
    }
}

// it replaces a strategy, which replaces it
$pool->setCircuitBreakerStrategy(teller());
$pool->release($pool->acquire());
$pool->setThreshold(1, 1);
$pool->release($pool->acquire());
$pool->setCircuitBreakerStrategy(teller());
$pool->release($pool->acquire());
$resource = $pool->acquire();
$resource->broken = true;
$pool->release($resource);
echo $pool->getState()->name, "\n";
$pool->setThreshold(0, 0); // none any more
$pool->close();
$pool->setThreshold(1, 1);
?>
--EXPECT--
Exception: down
ACTIVE
Exception: down
INACTIVE
Async\ServiceUnavailableException: Service is unavailable (circuit breaker is open)
INACTIVE
RECOVERING
ACTIVE
success
success
failure: Exception: Resource validation failed
ACTIVE
