--TEST--
RedisBudget: in a forked child a budget is a new member, and the parent's stays the parent's
--SKIPIF--
<?php
require __DIR__ . '/skip.inc';
if (!extension_loaded('pcntl')) die('skip pcntl is not there');
?>
--FILE--
<?php
require __DIR__ . '/budget.inc';

// as a server does that forks its workers: the budget is made before, the pools in the workers
$server = new Server();
$budget = $server->budget(2);
$children = [];
for ($i = 0; $i < 2; $i++) {
    $sockets = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $pid = pcntl_fork();
    if ($pid === 0) {
        fclose($sockets[0]);
        $pool = poolOf($budget);
        $lent = $pool->acquire();
        fwrite($sockets[1], json_encode([$budget->info()->used, count($pool)]) . "\n");
        Async\readable($sockets[1]);
        fgets($sockets[1]);
        $pool->release($lent);
        $lent = null;
        $pool->close();
        exit(0);
    }
    fclose($sockets[1]);
    $children[$pid] = $sockets[0];
}
foreach ($children as $child) {
    Async\readable($child);
    echo fgets($child);
}
waitFor(fn() => $budget->info()->processes === 3 && $budget->info()->all === 2);
var_dump($budget->info()->used, $budget->info()->leases);
foreach ($children as $pid => $child) {
    fwrite($child, "end\n");
    pcntl_waitpid($pid, $status);
    var_dump(pcntl_wexitstatus($status));
}
// the children have left; the parent's connection and leases are as they were
waitFor(fn() => $budget->info()->processes === 1);
var_dump($budget->info()->error);
$pool = poolOf($budget);
$lent = $pool->acquire();
var_dump($budget->info()->used);
?>
--EXPECT--
[1,1]
[1,1]
int(0)
int(0)
int(0)
int(0)
NULL
int(1)
