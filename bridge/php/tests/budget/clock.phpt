--TEST--
RedisBudget: a clock of Redis's machine that leaps costs nobody its leases
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/budget.inc';

$server = new Server();
$redis = $server->redis();
$budget = $server->budget();
$pool = poolOf($budget);
$other = new Member('php', $server);
$lent = $pool->acquire();
$other('acquire 0');
$clock = (int) $redis->hGet('{b}', 'clock');
// an hour ahead, and an hour back: as if the last message had been at another time
foreach ([-3_600_000, 3_600_000] as $leap) {
    $redis->hIncrBy('{b}', 'at', $leap);
    $number = (int) $redis->hGet('{b}', 'sum');
    waitFor(fn() => abs((int) $redis->hGet('{b}', 'at') - 1000 * microtime(true)) < 600_000); // somebody has said something
    var_dump($number, (int) $redis->hGet('{b}', 'sum'), $redis->zCard('{b}:ends'));
}
var_dump($budget->info()->used, $other->info()->used);
?>
--EXPECT--
int(2)
int(2)
int(2)
int(2)
int(2)
int(2)
int(1)
int(1)
