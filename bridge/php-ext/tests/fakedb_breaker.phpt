--TEST--
Another extension: the strategy of a pool hears of what C code borrows, and may let it probe; a cancellation in it reaches PHP (P34)
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/ext.inc';

use Async\AsyncCancellation;
use Async\Pool;

final class Strategy implements Async\CircuitBreakerStrategy
{
    public array $answers = [];

    private function answer(string $what): bool
    {
        echo "$what\n";
        $answer = array_shift($this->answers) ?? true;

        return is_bool($answer) ? $answer : throw $answer;
    }

    public function reportSuccess(mixed $source): void
    {
        $this->answer('success');
    }

    public function reportFailure(mixed $source, Throwable $error): void
    {
        $this->answer('failure: ' . $error->getMessage());
    }

    public function shouldRecover(): bool
    {
        return $this->answer('shouldRecover');
    }
}

$good = true;
$pool = new Pool(factory: fn() => 'made', beforeRelease: function () use (&$good): bool {
    return $good;
});
$pool->setCircuitBreakerStrategy($strategy = new Strategy());
$pool->deactivate();
$strategy->answers = [false, new DomainException('no verdict'), new AsyncCancellation('cancelled'), true];
echo thrown(fn() => FakeDb\borrow($pool));
echo thrown(fn() => FakeDb\borrow($pool));
echo thrown(fn() => FakeDb\borrow($pool));
echo FakeDb\borrow($pool), ' ', $pool->getState()->name, "\n";
$strategy->answers = [new AsyncCancellation('cancelled')];
echo thrown(fn() => FakeDb\give($pool));
echo counts($pool);
$pool->activate();
FakeDb\borrow($pool);
$good = false;
$strategy->answers = [new DomainException('dropped')];
echo thrown(fn() => FakeDb\give($pool));
echo counts($pool);
unset($pool);
echo live(), "\n";
?>
--EXPECT--
shouldRecover
Error: FakeDb: the service is unavailable: the circuit breaker is open
shouldRecover
Error: FakeDb: the service is unavailable: the circuit breaker is open
shouldRecover
Async\AsyncCancellation: cancelled
shouldRecover
made RECOVERING
success
Async\AsyncCancellation: cancelled
1/0/1
failure: Resource validation failed
nothing thrown
0/0/0
0
