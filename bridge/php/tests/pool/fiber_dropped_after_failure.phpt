--TEST--
Pool: a fiber that is dropped after a hook of its call has failed takes the failure with it (P29)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), destructor: function (int $r): void {
    echo "destructor($r)\n";
    $r === 1 ? throw new DomainException('first') : Fiber::suspend();
}, min: 2);
$fiber = new Fiber(fn() => $pool->close());
$fiber->start();
echo counts($pool);
unset($fiber);
gc_collect_cycles();
echo counts($pool);
unset($pool);
echo live(), "\n";
?>
--EXPECT--
factory(1)
factory(2)
destructor(1)
destructor(2)
0/1/1
0/0/0
0
