--TEST--
Pool: a fiber that is suspended in shouldRecover() and known to nobody else is collected, also after a change of strategy (B150)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\CircuitBreakerStrategy;
use Async\Pool;

class Suspends implements CircuitBreakerStrategy
{
    public function __construct(public stdClass $all, private readonly bool $leaves)
    {
    }

    public function reportSuccess(mixed $source): void
    {
    }

    public function reportFailure(mixed $source, Throwable $error): void
    {
    }

    public function shouldRecover(): bool
    {
        if ($this->leaves) {
            $this->all->pool->setCircuitBreakerStrategy(null);
        }
        Fiber::suspend();

        return false;
    }

    public function __destruct()
    {
        echo 'gone ';
    }
}

foreach ([false, true] as $leaves) {
    $all = new stdClass();
    $all->pool = new Pool(fn() => 1);
    $all->pool->setCircuitBreakerStrategy(new Suspends($all, $leaves));
    $all->pool->deactivate();
    $all->fiber = new Fiber(fn() => $all->pool->acquire());
    $all->fiber->start();
    unset($all);
    gc_collect_cycles();
    echo live(), "\n";
}
?>
--EXPECT--
gone 0
gone 0
