--TEST--
Pool: a factory that throws TryLater is asked again later, and it is nobody's failure
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use Async\TryLater;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$answers = [];
$pool = new Pool(
    factory: function () use (&$answers): int {
        $answer = array_shift($answers);

        return $answer instanceof Throwable ? throw $answer : $answer;
    },
    max: 1,
);
$pool->setThreshold(failures: 1, openMs: 3_600_000);
$answers = [new TryLater(1, 'too many'), new TryLater(0), 7];
$resource = $pool->acquire();
var_dump($resource, $answers, $pool->getState(), $pool->stats()->failed);

// who waits in line is served by what comes back, or by what is made later
$task = spawn(fn() => $pool->acquire());
suspend();
$answers = [new TryLater(1), 8];
$pool->discard($resource);
$resource = await($task);
var_dump($resource);
$pool->discard($resource);

// a try waits for nobody, and in the pause after it nothing is made
$answers = [new TryLater(3_600_000, 'over the limit'), 9];
var_dump($pool->tryAcquire(), $pool->tryAcquire(), count($answers));
echo thrown(fn() => $pool->acquire(1));
var_dump(count($answers));

// the creation of a pool does not wait
echo thrown(fn() => new Pool(fn() => throw new TryLater(5), min: 1));
$later = new TryLater(5, 'x', new Exception('y'));
var_dump($later->ms, $later->getMessage(), $later->getPrevious()->getMessage(), $later instanceof Async\PoolException);

// a class of the script that never calls the constructor asks for no time
final class Unconstructed extends TryLater
{
    public function __construct()
    {
    }
}
$answers = [new Unconstructed(), new Unconstructed(), 10];
$other = new Pool(factory: function () use (&$answers): int {
    $answer = array_shift($answers);

    return $answer instanceof Throwable ? throw $answer : $answer;
});
var_dump($other->tryAcquire(), $other->acquire(), $other->stats()->failed);
unset($pool, $other, $task, $later);
$answers = [];
echo live(), "\n";
?>
--EXPECT--
int(7)
array(0) {
}
enum(Async\CircuitBreakerState::ACTIVE)
int(0)
int(8)
NULL
NULL
int(1)
Async\PoolException: Failed to create pool resource: over the limit
int(1)
Async\TryLater: To be tried again in 5 ms
int(5)
string(1) "x"
string(1) "y"
bool(true)
NULL
int(10)
int(0)
0
