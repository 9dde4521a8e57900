--TEST--
RedisBudget: a signal handler may take and give at any place of a take, a give or a heartbeat, and no place is lost
--SKIPIF--
<?php
require __DIR__ . '/skip.inc';
if (!function_exists('pcntl_async_signals') || !class_exists(FFI::class)) die('skip needs pcntl and FFI');
?>
--FILE--
<?php
require __DIR__ . '/../pool/disturb.inc';
require __DIR__ . '/budget.inc';

$server = new Server();
$budget = $server->budget(3);
$pool = poolOf($budget);
$handlers = poolOf($budget);
$pool->discard($pool->acquire()); // until something is granted

$came = $most = 0;
$act = function () use ($handlers, $budget, &$most): void {
    $one = $handlers->tryAcquire(); // null: another message is under way, or no lease is free
    $most = max($most, $budget->info()->used);
    $one === null || $handlers->discard($one);
    $budget->beat();
};
for ($k = 0; $came < 200; $k++) {
    $came += by_signal($k % 64, $act, function () use ($pool, $budget): void {
        $two = [$pool->acquire(), $pool->acquire()];
        $pool->discard(array_pop($two));
        $budget->beat();
        $pool->discard(array_pop($two));
    });
    if ($budget->info()->used !== 0 || $pool->count() + $handlers->count() !== 0) {
        exit("after $k: {$budget->info()->used} used, {$pool->count()} and {$handlers->count()} are there\n");
    }
}
var_dump($most <= 3, $budget->info()->error);
$lent = [$pool->acquire(), $pool->acquire(), $pool->acquire()];
var_dump($budget->info()->used);
?>
--EXPECT--
bool(true)
NULL
int(3)
