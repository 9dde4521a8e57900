--TEST--
RedisBudget: at the end of a script its places are others' at once
--SKIPIF--
<?php require __DIR__ . '/skip.inc'; ?>
--FILE--
<?php
require __DIR__ . '/budget.inc';

$server = new Server();
$redis = $server->redis();
$run = function (string $code) use ($server, $redis): void {
    $code = "require '" . __DIR__ . "/budget.inc'; \$budget = joined(['address' => '$server->socket', 'key' => 'b',
        'limit' => 2, 'leaseMs' => " . 20 * LEASE . "]); \$pool = poolOf(\$budget, factory: fn() => new stdClass()); $code";
    $process = proc_open([PHP_BINARY, '-d', 'opcache.enable_cli=0', '-r', $code], [1 => ['pipe', 'w']], $pipes);
    echo stream_get_contents($pipes[1]), 'exit code ', proc_close($process), ', members: ', $redis->zCard('{b}:ends'), "\n";
};
$redis->eval(Async\Internal\Budget\Script::TEXT, ['{b}', '{b}:line', '{b}:ends', '{b}:limits', 'x', 1, 0, 0, 0, 0, 2, 100, 0, 0], 4);
waitFor(function () use ($redis): bool { // until the new ledger grants something
    static $number = 1;

    return $redis->eval(Async\Internal\Budget\Script::TEXT,
        ['{b}', '{b}:line', '{b}:ends', '{b}:limits', 'x', ++$number, 0, 0, 0, 0, 2, 100, 0, 0], 4)[2] === 0;
});
$redis->zAdd('{b}:ends', 1e15, 'x'); // it stays: the ledger with it

$run('$lent = $pool->acquire(); $pool->release($lent);');
$run('$pool->release($pool->acquire());');
$run('$lent = $pool->acquire(); $pool->release($lent); $GLOBALS["cycle"] = [$pool, &$GLOBALS["cycle"]]; exit(3);');
$run('$budget->close(); $budget->close(); echo $budget->info()->processes, "\n";');
$run('$lent = $pool->acquire(); $budget->close(); echo thrown(fn() => $pool->acquire()); $pool->release($lent); $lent = null; $pool->close();');
// what is still lent is another's when the leases end
$run('$lent = $pool->acquire();');
?>
--EXPECT--
exit code 0, members: 1
exit code 0, members: 1
exit code 3, members: 1
1
exit code 0, members: 1
Async\PoolException: The budget "b" is closed: make a new one for a new pool
exit code 0, members: 1
exit code 0, members: 2
