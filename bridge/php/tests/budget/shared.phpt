--TEST--
RedisBudget: two processes share a limit, and what is idle goes to who needs it
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/budget.inc';

$server = new Server();
$other = new Member('php', $server, limit: 3);
$budget = $server->budget(3);
$pool = poolOf($budget);

echo 'the other: ', $other('acquire 0'), "\n";
echo 'the other: ', $other('acquire 0'), "\n";
$mine = $pool->acquire();
echo 'mine: ', $pool->activeCount(), "\n";
echo thrown(fn() => $pool->acquire(LEASE));
waitFor(fn() => $budget->info()->all === 3 && $budget->info()->processes === 2);

// none is idle: it waits, and its place in line is known
$task = Async\spawn(fn() => $pool->acquire());
waitFor(fn() => $budget->info()->place === 1);
echo 'the other gives one back: ', $other('release'), "\n";
$second = Async\await($task);
echo 'mine: ', $pool->activeCount(), "\n";
$info = waitFor(fn() => ($info = $other->info())->all === 3 ? $info : null);
echo "the other: $info->used used, $info->idle idle, $info->all of $info->limit\n";

$pool->release($mine);
$pool->release($second);
unset($mine, $second, $task);
$pool->close();
unset($pool);
$budget->close();
// the places are there at once
echo 'the other: ', $other('acquire 0'), ' ', $other('acquire 0'), "\n";
waitFor(fn() => $other->info()->processes === 1);
$other('release') . $other('release') . $other('release');
$other->leave();
var_dump($server->redis()->zCard('{b}:ends'));
echo live(), "\n";
?>
--EXPECT--
the other: 1
the other: 2
mine: 1
Async\TryLater: The budget "b" has no place: 3 of 3 are in use, number 1 in line
the other gives one back: 1
mine: 2
the other: 1 used, 0 idle, 3 of 3
the other: 2 3
exit code 0
int(0)
0
