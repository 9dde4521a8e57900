--TEST--
RedisBudget: a script that never waits has its heartbeats by acquire() and release(), and claims what it has after a pause
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/budget.inc';

$server = new Server();
$redis = $server->redis();
$budget = $server->budget(3);
$pool = poolOf($budget);
$held = $pool->acquire();
$pool->release($pool->acquire());

// no loop runs from here on: a lease's time in which only acquire() and release() are called
$number = fn(): array => array_map(fn($record) => (int) $record, array_values(array_filter(
    $redis->hGetAll('{b}'), fn($key) => str_starts_with($key, 'p:'), ARRAY_FILTER_USE_KEY,
)));
[$before] = $number();
$turns = 0;
while ($number()[0] < $before + 8) {
    $pool->release($pool->acquire());
    $turns++;
}
var_dump($turns > 8, $pool->stats()->created);

// it does nothing at all until its leases have ended, by its own clock
while (!$budget->info()->expired) {
    usleep(1000);
}
var_dump($budget->info()->used);
$pool->release($held); // the next heartbeat, which claims what it has; on a busy machine Redis may not answer in time
while ($budget->info()->expired) {
    $pool->release($pool->acquire());
}
[$a, $b] = [$pool->acquire(), $pool->acquire()];
var_dump($budget->info()->used);
$pool->release($a);
$pool->release($b);
unset($held, $a, $b);

// asked to give up what is idle, it does so with its next call
$other = new Member('php', $server, limit: 3);
$other->begin('acquire 0');
$other->end();
$other->begin('acquire 0');
do {
    $pool->release($pool->acquire());
} while ($pool->count() === 2);
echo $other->end(), "\n";
$budget->beat();
?>
--EXPECT--
bool(true)
int(2)
int(2)
int(2)
2
