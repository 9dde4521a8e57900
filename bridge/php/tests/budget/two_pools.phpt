--TEST--
RedisBudget: of two pools of a process one has what is idle in the other, also where that is all its shareMin
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/budget.inc';

$server = new Server();
$budget = $server->budget(2, shareMin: 2);
[$first, $second] = [poolOf($budget), poolOf($budget)];
$lent = [$first->acquire(), $first->acquire()];
$first->release(array_pop($lent));
$other = $second->acquire();
echo "{$first->count()} and {$second->count()}\n"; // what is lent stays
$first->release(array_pop($lent));
$another = $second->acquire();
echo "{$first->count()} and {$second->count()}, {$budget->info()->used} used\n";
$second->release($other);
$second->release($another);
unset($other, $another);
$first->close();
$second->close();
unset($first, $second);
$budget->close();
echo live(), "\n";
?>
--EXPECT--
1 and 1
0 and 2, 2 used
0
