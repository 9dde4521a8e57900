--TEST--
RedisBudget: who has less than its shareMin gets what comes back next, where nothing is idle
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/budget.inc';

$server = new Server();
$budget = $server->budget(2);
$pool = poolOf($budget);
$enough = false;
// three of these leave nothing idle in a pool that has two
$user = function () use ($pool, &$enough): void {
    while (!$enough) {
        $resource = $pool->acquire();
        Async\delay(1);
        $pool->release($resource);
        unset($resource);
    }
};
$users = array_map(fn() => Async\spawn($user), range(1, 3));
waitFor(fn() => $budget->info()->used === 2);

$other = new Member('php', $server, limit: 2, shareMin: 1);
echo 'the other: ', $other('acquire 0'), "\n";
$info = waitFor(fn() => ($info = $budget->info())->all === 2 && $info->leases === 1 ? $info : null);
echo "mine: $info->used used\n";

$other('release');
$other->leave();
$enough = true;
array_map(Async\await(...), $users);
unset($users, $user);
$pool->close();
unset($pool);
$budget->close();
echo live(), "\n";
?>
--EXPECT--
the other: 1
mine: 1 used
exit code 0
0
