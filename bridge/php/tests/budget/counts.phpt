--TEST--
RedisBudget: what info() counts; and where each message finds a new ledger nothing is said in a hurry
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/budget.inc';

$server = new Server();
$redis = $server->redis();
$budget = $server->budget(1, leaseMs: 600_000); // no heartbeat comes by itself
$redis->hSet('{b}', 'grace', '0'); // nor is that waited for
$counts = function (string $when) use ($budget): void {
    $info = $budget->info();
    printf("%-14s %d granted, %d refused, %d messages, wanted: %s, leases: %d, all: %d, in time: %s\n", "$when:", $info->granted,
        $info->refused, $info->renewals, json_encode($info->wanted), $info->leases, $info->all, json_encode($info->leftMs > 0));
};
$pools = [];
$ask = function () use ($budget, &$pools): void {
    $pools[] = $pool = poolOf($budget); // one that was told to wait asks later
    $pool->tryAcquire();
};

$pool = poolOf($budget);
$lent = $pool->acquire();
$counts('granted');
$ask();
$counts('refused');

$redis->flushAll();
$ask();
$counts('a new ledger');
$budget->beat();
$counts('at once');
$redis->flushAll();
$ask();
$counts('another');
$redis->flushAll();
$budget->beat();
$counts('at once');
$redis->flushAll();
$budget->beat();
$counts('not at once');
$ask();
$ask();
$counts('it is named');
$server->kill();
$ask();
var_dump($budget->info()->renewalsFailed, $budget->info()->renewals);
?>
--EXPECT--
granted:       1 granted, 0 refused, 2 messages, wanted: false, leases: 1, all: 1, in time: true
refused:       1 granted, 1 refused, 3 messages, wanted: true, leases: 1, all: 1, in time: true
a new ledger:  1 granted, 2 refused, 4 messages, wanted: true, leases: 1, all: 0, in time: true
at once:       1 granted, 2 refused, 5 messages, wanted: true, leases: 1, all: 1, in time: true
another:       1 granted, 3 refused, 6 messages, wanted: true, leases: 1, all: 0, in time: true
at once:       1 granted, 3 refused, 7 messages, wanted: true, leases: 1, all: 0, in time: true
not at once:   1 granted, 3 refused, 7 messages, wanted: true, leases: 1, all: 0, in time: true
it is named:   1 granted, 5 refused, 9 messages, wanted: true, leases: 1, all: 1, in time: true
int(1)
int(10)
