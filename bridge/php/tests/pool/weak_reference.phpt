--TEST--
Pool: a pool that is going is not found again, by what is destroyed with it (B151)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\CircuitBreakerStrategy;
use Async\Pool;

class Looks
{
    public function __construct(private readonly string $name)
    {
    }

    public function __destruct()
    {
        global $reference, $map;
        echo "$this->name: ", $reference->get() ? 'found' : 'gone', ', ', count($map), " in the map\n";
    }

    public function __invoke(): object
    {
        return new stdClass();
    }
}

$strategy = fn(): CircuitBreakerStrategy => new class implements CircuitBreakerStrategy {
    public Looks $looks;

    public function reportSuccess(mixed $source): void
    {
    }

    public function reportFailure(mixed $source, Throwable $error): void
    {
    }
};
foreach (['resource', 'hook', 'strategy'] as $what) {
    $pool = new Pool($what === 'hook' ? new Looks($what) : fn() => $what === 'resource' ? new Looks($what) : 1);
    if ($what === 'strategy') {
        $pool->setCircuitBreakerStrategy($taken = $strategy());
        $taken->looks = new Looks($what);
        unset($taken);
    }
    $reference = WeakReference::create($pool);
    $map = new WeakMap();
    $map[$pool] = true;
    $pool->acquire(); // nobody gives it back
    unset($pool);
}
echo live(), "\n";
?>
--EXPECT--
resource: gone, 0 in the map
hook: gone, 0 in the map
strategy: gone, 0 in the map
0
