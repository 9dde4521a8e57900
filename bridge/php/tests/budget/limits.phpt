--TEST--
RedisBudget: of several limits the smallest holds, and each process is told
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/budget.inc';

$server = new Server();
$wide = $server->budget(3);
$pool = poolOf($wide);
$lent = [$pool->acquire(), $pool->acquire(), $pool->acquire()];
var_dump($wide->info()->limit, $wide->info()->all);

$narrow = $server->budget(1);
var_dump($narrow->info()->limit);
waitFor(fn() => $wide->info()->limit === 1);
// it keeps what it has lent, and gives up what comes back
array_map($pool->release(...), $lent);
$lent = [];
waitFor(fn() => $pool->count() === 1 && $wide->info()->all === 1);
var_dump($wide->info()->limit);

// who had the smaller one leaves
$narrow->close();
waitFor(fn() => $wide->info()->limit === 3);
$lent = [$pool->acquire(), $pool->acquire(), $pool->acquire()];
var_dump($wide->info()->used);
?>
--EXPECT--
int(3)
int(3)
int(1)
int(1)
int(3)
