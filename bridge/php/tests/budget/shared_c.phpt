--TEST--
RedisBudget: processes in PHP and in C share a limit; what is idle moves, and who is killed is missed for a lease
--SKIPIF--
<?php
require __DIR__ . '/skip.inc';
if (!is_executable((string) getenv('ASYNCPOOL_BUDGET_MEMBER'))) {
    die('skip tests_c/fleet/member.c was not built: hiredis is not installed (Debian: libhiredis-dev)');
}
?>
--FILE--
<?php
require __DIR__ . '/budget.inc';

$server = new Server();
$c = new Member('c', $server, limit: 3);
$php = new Member('php', $server, limit: 3);
$budget = $server->budget(3);
$pool = poolOf($budget);
echo 'C: ', $c('acquire 0'), ' ', $c('acquire 0'), "\n";
echo 'PHP: ', $php('acquire 0'), "\n";
waitFor(fn() => $budget->info()->all === 3 && $budget->info()->processes === 3);
var_dump($pool->tryAcquire());

// what is idle in C goes to PHP, and the other way round
$c('release');
$mine = $pool->acquire();
waitFor(fn() => $c->info()->count === 1);
$pool->release($mine);
echo 'C: ', $c('acquire 0'), "\n";
waitFor(fn() => $pool->count() === 0);
$php('release');
$mine = $pool->acquire();
waitFor(fn() => $php->info()->count === 0);

// who is killed is missed for a lease, whatever it is written in
$c->kill();
$lent = [$pool->acquire(), $pool->acquire()];
array_map($pool->release(...), [$mine, ...$lent]);
echo 'PHP: ', $php('acquire 0'), ' ', $php('acquire 0'), "\n";
$php->kill();
$lent = [$pool->acquire(), $pool->acquire(), $pool->acquire()];
$second = new Member('c', $server, limit: 3);
array_map($pool->discard(...), $lent);
echo 'C: ', $second('acquire 0'), "\n";
$second->leave();
waitFor(fn() => $budget->info()->processes === 1);
echo "all have left\n";
?>
--EXPECT--
C: 1 2
PHP: 1
NULL
C: 2
PHP: 1 2
C: 1
exit code 0
all have left
