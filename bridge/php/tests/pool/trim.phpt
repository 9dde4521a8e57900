--TEST--
Pool: trim() destroys what is idle and not kept, the oldest first (P91, P92)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(counter(), hook('destructor'), max: 4);
$held = [$pool->acquire(), $pool->acquire(), $pool->acquire(), $pool->acquire()];
array_map($pool->release(...), array_slice($held, 0, 3));
$pool->trim(1);
echo counts($pool);
$pool->trim();
echo counts($pool); // what is lent stays lent
$pool->release($held[3]);
echo counts($pool), $pool->stats()->destroyedShrunk, "\n";
echo thrown(fn() => $pool->trim(-1));
$pool->close();
echo thrown(fn() => $pool->trim());

$pool = new Pool(counter(), hook('destructor'), min: 2, max: 4);
$pool->trim();
echo counts($pool); // as many as there are to be
$pool->close();

// a destructor that throws ends no trim
$pool = new Pool(counter(), function (int $r): void { throw new Exception("gone $r"); }, max: 2);
$held = [$pool->acquire(), $pool->acquire()];
array_map($pool->release(...), $held);
echo thrown(fn() => $pool->trim());
echo counts($pool);
unset($pool);
echo live(), "\n";
?>
--EXPECT--
factory(1)
factory(2)
factory(3)
factory(4)
destructor(1)
destructor(2)
1/1/2
destructor(3)
0/1/1
1/0/1
3
ValueError: Async\Pool::trim(): Argument #1 ($keepIdle) must be >= 0
destructor(4)
Async\PoolException: Pool is closed
factory(1)
factory(2)
2/0/2
destructor(1)
destructor(2)
factory(1)
factory(2)
Exception: gone 2 < Exception: gone 1
0/0/0
0
