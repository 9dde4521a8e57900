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
    // the other asks in vain until it is known again that both are taken
    do {
        $answer = $other('acquire 1');
        $info = $other->info();
    } while ($info->graceMs > 0 || $info->all !== 2 || $info->error !== null);
    echo "$how: ", is_numeric($answer) ? 'one too many' : 'none', ", {$other->info()->used} used\n";
}
$pool->discard(array_pop($lent));
echo $other('acquire 0'), "\n";
?>
--EXPECT--
flushed: none, 0 used
restarted: none, 0 used
1
