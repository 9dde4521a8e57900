--TEST--
Pool: a strategy can be set, replaced and taken away; nothing is called for it (B123, S8)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

class Leaving implements Async\CircuitBreakerStrategy
{
    public function __construct(private readonly Pool $pool)
    {
    }

    public function reportSuccess(mixed $source): void
    {
        echo "to the one that leaves\n";
    }

    public function reportFailure(mixed $source, Throwable $error): void
    {
    }

    public function __destruct()
    {
        echo "leaving\n";
        $this->pool->release(1); // is reported to the new one
    }
}

$pool = new Pool(factory: counter());
$pool->acquire();
$pool->setCircuitBreakerStrategy(new Leaving($pool));
$pool->setCircuitBreakerStrategy(teller());
$pool->setCircuitBreakerStrategy(null);
$pool->release($pool->acquire());
$pool->setCircuitBreakerStrategy(teller());
$pool->release($pool->acquire());
?>
--EXPECT--
factory(1)
leaving
success
success
