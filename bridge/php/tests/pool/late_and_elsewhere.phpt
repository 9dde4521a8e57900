--TEST--
Pool: a late release, into a pool that was destructed with flows in line, is no other pool's business (P26)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;
use function Async\suspend;

$open = fn(string $name): Pool => new Pool(factory: counter(), destructor: hook("destructor of $name"), max: 1);
$first = $open('the first');
$held = $first->acquire();
$task = spawn(fn() => $first->acquire());
suspend();
$first->__destruct(); // its flow has not gone on yet
$second = $open('the second'); // what it lends has the same number
$lent = $second->acquire();
$waiting = spawn(fn() => $second->acquire());
suspend();
$first->release($held);
echo counts($second);
echo thrown(fn() => $first->release($held));
echo thrown(fn() => await($task));
$second->release($lent);
var_dump(await($waiting));
?>
--EXPECT--
factory(1)
factory(1)
destructor of the first(1)
0/1/1
Async\PoolException: Resource is not lent by this pool
Async\PoolException: Pool is closed
int(1)
