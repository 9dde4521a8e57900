--TEST--
RedisBudget: a Redis that has lost all grants nothing for a lease, and is told what there is
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/budget.inc';

$server = new Server();
$budget = $server->budget();
$pool = poolOf($budget);
$lent = [$pool->acquire(), $pool->acquire()];
$other = new Member('php', $server);
waitFor(fn() => $other->info()->all === 2);
foreach (['flushed' => fn() => $server->redis()->flushAll(), 'restarted' => function () use ($server): void {
    $server->kill();
    $server->start();
}] as $how => $lose) {
    $lose();
    // the other asks in vain until all is known again; unless this process was so slow that it has no lease any more
    do {
        $other('acquire 1');
        $info = $other->info();
        $mine = $budget->info();
    } while ($info->graceMs > 0 || $info->all < 2 || $info->error !== null || $mine->error !== null);
    echo "$how: ", ($mine->expired ? 0 : $mine->leases) + $info->used > 2 ? json_encode([$mine, $info]) : 'no more than the limit', "\n";
}
array_map($pool->discard(...), $lent);
echo is_numeric($other('acquire 0')) ? "it is served\n" : "it is not\n";
?>
--EXPECT--
flushed: no more than the limit
restarted: no more than the limit
it is served
