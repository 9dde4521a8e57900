--TEST--
Pool: an error handler that is told of a deprecated callable constructs the pool: it is constructed once (P26)
--FILE--
<?php
require __DIR__ . '/ext.inc';

use Async\Pool;

class Base
{
    public static function make(): int
    {
        return 1;
    }
}

class Derived extends Base
{
    public static function pool(): Pool
    {
        return new Pool('parent::make');
    }
}

set_error_handler(function () {
    foreach (debug_backtrace() as $frame) {
        if (($frame['object'] ?? null) instanceof Pool) {
            $frame['object']->__construct(fn() => 2);
            return true;
        }
    }
    return true;
});
echo thrown(fn() => Derived::pool());
gc_collect_cycles();
echo live(), "\n";
?>
--EXPECT--
Async\PoolException: Pool is already initialized
0
