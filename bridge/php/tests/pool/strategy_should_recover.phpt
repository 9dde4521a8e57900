--TEST--
Pool: a strategy with shouldRecover() is asked when the breaker is open (B130, R55)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

class Cautious implements Async\CircuitBreakerStrategy
{
    public array $answers = [false, 'throws', true];

    public function reportSuccess(mixed $source): void
    {
        $source->activate();
    }

    public function reportFailure(mixed $source, Throwable $error): void
    {
    }

    public function shouldRecover(): bool
    {
        echo "asked\n";
        $answer = array_shift($this->answers);

        return is_bool($answer) ? $answer : throw new RuntimeException($answer);
    }
}

$pool = new Pool(factory: counter(), max: 2);
$pool->setCircuitBreakerStrategy(new Cautious());
$pool->release($pool->acquire());
$pool->deactivate();
echo thrown(fn() => $pool->acquire());
var_dump($pool->tryAcquire());
$probe = $pool->acquire();
echo $pool->getState()->name, "\n";
$pool->release($probe);
echo $pool->getState()->name, "\n";
?>
--EXPECT--
factory(1)
asked
Async\ServiceUnavailableException: Service is unavailable (circuit breaker is open)
asked
NULL
asked
RECOVERING
ACTIVE
