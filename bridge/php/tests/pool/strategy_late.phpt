--TEST--
Pool: a strategy that comes while resources are lent hears of each before it is idle again, or destroyed (B123, S8)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

class Counting implements Async\CircuitBreakerStrategy
{
    public function reportSuccess(mixed $source): void
    {
        echo 'success ', counts($source);
    }

    public function reportFailure(mixed $source, Throwable $error): void
    {
        echo "failure {$error->getMessage()} ", counts($source);
    }
}

foreach ([null, fn($r) => $r !== 2] as $beforeRelease) {
    $pool = new Pool(factory: counter(), destructor: hook('destructor'), beforeRelease: $beforeRelease);
    $first = $pool->acquire();
    $second = $pool->acquire();
    $pool->setCircuitBreakerStrategy(new Counting());
    $pool->release($first);
    $pool->release($second);
    echo counts($pool);
    $pool->close();
}
?>
--EXPECT--
factory(1)
factory(2)
success 0/2/2
success 1/1/2
2/0/2
destructor(1)
destructor(2)
factory(1)
factory(2)
success 0/2/2
failure Resource validation failed 1/1/2
destructor(2)
1/0/1
destructor(1)
