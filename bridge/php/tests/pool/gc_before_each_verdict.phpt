--TEST--
Pool: cycles are collected before a verdict also where an exception has ended the wait before (P25)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

/** Garbage as soon as it is made. */
final class Cycle
{
    private self $self;

    public function __construct(private Closure $end)
    {
        $this->self = $this;
    }

    public function __destruct()
    {
        ($this->end)();
    }
}

$pool = new Pool(factory: fn() => new stdClass(), max: 1);
$lent = $pool->acquire();
new Cycle(fn() => throw new LogicException('thrown by garbage'));
echo thrown(fn() => $pool->acquire());
new Cycle(fn() => $pool->release($lent));
var_dump($pool->acquire() === $lent);
?>
--EXPECT--
LogicException: thrown by garbage
bool(true)
