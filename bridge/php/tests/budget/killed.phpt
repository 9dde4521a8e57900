--TEST--
RedisBudget: who is killed gives its places back when its leases end
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/budget.inc';

$server = new Server();
$other = new Member('php', $server);
echo $other('acquire 0'), ' ', $other('acquire 0'), "\n";
$budget = $server->budget();
$pool = poolOf($budget);
var_dump($budget->info()->all, $pool->tryAcquire());
$other->kill();
$lent = [$pool->acquire(), $pool->acquire()];
var_dump($budget->info()->used);
waitFor(fn() => $budget->info()->processes === 1);
?>
--EXPECT--
1 2
int(2)
NULL
int(2)
