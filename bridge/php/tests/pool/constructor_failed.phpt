--TEST--
Pool: an object whose constructor failed is as one that was never constructed (R47)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = null;
$factory = function () use (&$pool): int {
    foreach (debug_backtrace(DEBUG_BACKTRACE_PROVIDE_OBJECT) as $frame) {
        if (($frame['object'] ?? null) instanceof Pool) {
            $pool = $frame['object'];
            throw new DomainException('not today');
        }
    }
};
echo thrown(fn() => new Pool(factory: $factory, min: 1));
echo thrown(fn() => $pool->acquire());
echo counts($pool), live(), "\n";
$pool->__construct(factory: counter(), destructor: hook('destructor'), min: 1);
var_dump($pool->acquire());
echo counts($pool), live(), "\n";
$pool = null;
echo live(), "\n";
?>
--EXPECT--
DomainException: not today
Async\PoolException: Pool is not initialized
0/0/0
0
factory(1)
int(1)
0/1/1
1
0
