--TEST--
Pool: what is too old is not lent again, and its place is made new
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

/** Runs so long, and lets nobody else: no pass comes. */
function work(int $milliseconds): void
{
    for ($until = hrtime(true) + $milliseconds * 1_000_000; hrtime(true) < $until;) {
    }
}

$pool = new Pool(factory: counter(), destructor: hook('destructor'), max: 1, maxLifetime: 20);
$first = $pool->acquire();
work(40); // it is too old by the coarse clock, too
$pool->release($first);
$second = $pool->acquire();
$pool->release($second);
work(40);
echo $pool->acquire(), "\n"; // an acquire looks
var_dump($pool->stats()->destroyedLifetime, $pool->stats()->destroyed);
unset($pool);
echo live(), "\n";
?>
--EXPECT--
factory(1)
destructor(1)
factory(2)
destructor(2)
factory(3)
3
int(2)
int(2)
0
