--TEST--
Pool: a budget is asked before each creation, and told when what was made is gone
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Budget;
use Async\Pool;
use Async\TryLater;
use function Async\await;
use function Async\delay;
use function Async\spawn;

final class Connection
{
    public function __destruct()
    {
        echo "it ends\n";
    }
}

final class Places implements Budget
{
    public int $used = 0;
    public int $beats = 0;
    public ?Closure $onTake = null;
    public ?int $timeLeft = -1;
    public ?WeakReference $pool = null;

    public function __construct(public int $limit)
    {
    }

    public function take(Pool $pool, ?int $timeLeft): void
    {
        [$this->timeLeft, $this->pool] = [$timeLeft, WeakReference::create($pool)];
        $this->onTake && ($this->onTake)();
        $this->used < $this->limit || throw new TryLater(1, 'all are taken');
        $this->used++;
        echo "take: $this->used\n";
    }

    public function give(): void
    {
        $this->used--;
        echo "give: $this->used\n";
    }

    public function beat(): void
    {
        $this->beats++;
    }
}

$places = new Places(2);
$answer = fn() => new Connection();
$pool = new Pool(
    factory: function () use (&$answer): mixed {
        echo "factory\n";

        return $answer();
    },
    destructor: fn() => print("destructor\n"),
    budget: $places,
);

echo "-- made, lent again, and destroyed: its value is let go before the place is\n";
$connection = $pool->acquire();
var_dump($places->timeLeft, $places->pool->get() === $pool, $places->beats);
$pool->release($connection);
$connection = $pool->tryAcquire();
var_dump($places->timeLeft, $places->beats);
$pool->release($connection);
unset($connection);
$pool->trim();
$pool->with(fn() => print("with\n"), timeout: 60_000);
var_dump($places->timeLeft > 50_000 && $places->timeLeft <= 60_000, $places->beats);
$pool->evict();

echo "-- not made\n";
$answer = fn() => throw new Exception('no server');
echo thrown(fn() => $pool->acquire());
$answer = fn() => null;
echo thrown(fn() => $pool->acquire());
$places->onTake = fn() => throw new Exception('the budget is broken');
echo thrown(fn() => $pool->acquire());
$places->onTake = null;
$answer = fn() => new Connection();

echo "-- there is no place: who needs one waits\n";
$places->limit = 1;
$one = $pool->acquire();
var_dump($pool->tryAcquire());
var_dump(str_ends_with(thrown(fn() => $pool->acquire(5)), "all are taken\n"));
$task = spawn(fn() => $pool->acquire());
delay(5);
$pool->discard($one);
unset($one);
$two = await($task);
unset($task);
var_dump($pool->stats()->failed);

echo "-- what is detached keeps its place\n";
$pool->detach($two);
var_dump($pool->count(), $places->used);
unset($two);
$places->give();

echo "-- made while the pool is destructed, and lent for longer than it is there\n";
$late = $pool->acquire();
$places->limit = 2;
$answer = function (): Connection {
    delay(5);

    return new Connection();
};
$weak = WeakReference::create($pool);
$task = spawn(static function () use ($weak): void {
    try {
        $weak->get()->acquire();
    } catch (Async\PoolException $error) {
        echo $error->getMessage(), "\n";
    }
});
delay(1);
$pool->__destruct();
await($task);
$pool->release($late);
unset($late, $task);
var_dump($places->used);

echo "-- up front\n";
$answer = fn() => new Connection();
echo thrown(fn() => new Pool(factory: fn() => $answer(), min: 3, max: 3, budget: $places));
var_dump($places->used);
$pool = new Pool(factory: fn() => $answer(), min: 2, budget: $places);
var_dump($places->used, $places->timeLeft);
unset($pool);

echo "-- behind, and a fiber that is dropped in a factory\n";
$pool = new Pool(factory: fn() => $answer(), createBehind: true, budget: $places);
$connection = $pool->acquire();
$pool->release($connection);
unset($connection, $pool);
$pool = new Pool(factory: fn() => Fiber::suspend(), budget: $places);
$fiber = new Fiber(fn() => $pool->acquire());
$fiber->start();
unset($fiber, $pool);
var_dump($places->used);

echo "-- no budget\n";
echo preg_replace('/, called.*/', '', thrown(fn() => new Pool(fn() => 1, budget: 'none')));
$pool = new Pool(fn() => 1, budget: null);
var_dump($pool->acquire());
unset($pool);
$places->pool = null;
echo live(), "\n";
?>
--EXPECT--
-- made, lent again, and destroyed: its value is let go before the place is
take: 1
factory
NULL
bool(true)
int(1)
NULL
int(3)
destructor
it ends
give: 0
take: 1
factory
with
bool(true)
int(6)
destructor
it ends
give: 0
-- not made
take: 1
factory
give: 0
Exception: no server
take: 1
factory
give: 0
Async\PoolException: Failed to create pool resource
Exception: the budget is broken
-- there is no place: who needs one waits
take: 1
factory
NULL
bool(true)
destructor
give: 0
it ends
take: 1
factory
int(3)
-- what is detached keeps its place
int(0)
int(1)
it ends
give: 0
-- made while the pool is destructed, and lent for longer than it is there
take: 1
factory
take: 2
factory
destructor
it ends
give: 1
Pool is closed
destructor
give: 0
it ends
int(0)
-- up front
take: 1
take: 2
it ends
give: 1
it ends
give: 0
Async\TryLater: all are taken
int(0)
take: 1
take: 2
int(2)
NULL
it ends
give: 1
it ends
give: 0
-- behind, and a fiber that is dropped in a factory
take: 1
it ends
give: 0
take: 1
give: 0
int(0)
-- no budget
TypeError: Async\Pool::__construct(): Argument #25 ($budget) must be of type ?Async\Budget, string given
int(1)
0
