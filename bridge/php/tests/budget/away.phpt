--TEST--
RedisBudget: while Redis is away nobody hangs, and what there is goes on; what is idle may be given up
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/budget.inc';

$server = new Server();
$budget = $server->budget(3);
$careful = $server->budget(3, awayMin: true, shareMin: 1);
$pool = poolOf($budget);
$idle = poolOf($careful);
$lent = $pool->acquire();
$two = [$idle->acquire(), $idle->acquire()];
array_map($idle->release(...), $two);
$two = [];
$server->kill();

waitFor(fn() => $budget->info()->expired && $careful->info()->expired && $budget->info()->error !== null);
var_dump(str_contains($budget->info()->error, 'is redis-server there, and can it be reached from here?'));
var_dump($budget->info()->used);
$pool->release($lent);
$lent = $pool->acquire(); // what it has is lent as ever
var_dump($pool->tryAcquire());
echo preg_replace('~/\S+: .*?:~', 'why:', thrown(fn() => $pool->acquire(20)));
waitFor(fn() => $idle->count() === 1); // beyond shareMin

$server->start();
waitFor(fn() => !$budget->info()->expired && $budget->info()->error === null);
$more = $pool->acquire();
var_dump($budget->info()->used, $budget->info()->limit);
?>
--EXPECT--
bool(true)
int(1)
NULL
Async\PoolException: Failed to create pool resource: The budget "b" has no place: why: is redis-server there, and can it be reached from here?
int(2)
int(3)
