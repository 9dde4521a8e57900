--TEST--
Pool: what a factory throws that was called behind reaches who is first in line, and nobody where nobody is
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use Async\TryLater;
use function Async\await;
use function Async\delay;
use function Async\spawn;
use function Async\suspend;

/** What somebody is told whose time is over when a creation has failed in it: longer and longer, until one has. */
function told(Pool $pool): string
{
    $ms = 20;
    do {
        $told = thrown(fn() => $pool->acquire($ms));
    } while (str_starts_with($told, Async\TimeoutException::class) && ($ms *= 2) < 60_000);

    return $told;
}

$answers = [];
$factory = function () use (&$answers): ?int {
    delay(1);
    $answer = array_shift($answers);

    return $answer instanceof Throwable ? throw $answer : $answer;
};
$pool = new Pool($factory, max: 1, createBehind: true);
$answers = [new RuntimeException('first'), 1];
$line = [spawn($pool->acquire(...)), spawn($pool->acquire(...))];
echo thrown(fn() => await($line[0]));
var_dump(await($line[1]), $pool->stats()->failed);
$pool->discard(1);

// with() and null
$answers = [null, new LogicException('second')];
echo thrown(fn() => $pool->acquire());
echo thrown(fn() => $pool->with(var_dump(...)));
$answers = [Async\AsyncCancellation::class => new Async\AsyncCancellation('of another')];
echo thrown(fn() => $pool->acquire());

// the first in line has left by then
$answers = [new RuntimeException('unheard')];
$task = spawn($pool->acquire(...));
suspend();
suspend();
var_dump($pool->stats()->making);
$task->cancel();
echo thrown(fn() => await($task));
while ($pool->stats()->making > 0) {
    delay(1);
}
echo counts($pool);

// put off, and waited out
$answers = [new TryLater(1, 'later'), 2];
var_dump($pool->acquire());
$pool->discard(2);
$answers = [new TryLater(3_600_000, 'much later')];
echo told($pool), count($answers), "\n";
$pool->close();
$pool = new Pool($factory, max: 2, createBehind: true, createRetry: 1);
$answers = [new Exception('1'), new Exception('2'), new Exception('3'), 3, 4];
$line = [spawn($pool->acquire(...)), spawn($pool->acquire(...))];
var_dump(array_sum(array_map(await(...), $line)));
$pool->close();
$pool = new Pool($factory, max: 2, createBehind: true, createRetry: 3_600_000);
$answers = [new Exception('down'), new Exception('down, too')];
$line = [spawn(told(...), $pool), spawn(told(...), $pool)];
foreach ($line as $task) {
    echo preg_replace('/,.*/', '', await($task));
}
while ($pool->stats()->making > 0) { // the other creation, which may have begun late: it keeps the pool
    delay(1);
}
unset($pool, $task, $line);
echo live(), "\n";
?>
--EXPECT--
RuntimeException: first
int(1)
int(1)
Async\PoolException: Failed to create pool resource
LogicException: second
Async\AsyncCancellation: of another
int(1)
Async\AsyncCancellation: The coroutine was cancelled
0/0/0
int(2)
Async\TryLater: much later
0
int(7)
Exception: down
Exception: down
0
