--TEST--
Pool: a flow that nobody knows any more goes, with its pool, also while it destroys what was refused for a reason (B151)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

final class Refusal extends Exception
{
    public function __construct(public object $knows)
    {
        parent::__construct('refused');
    }
}

$pool = new Pool(
    factory: fn() => new stdClass(),
    destructor: function (): void {
        $self = Fiber::getCurrent(); // only the collector ends it
        Fiber::suspend();
    },
    beforeRelease: function () use (&$pool): never {
        throw new Refusal($pool);
    },
);
$fiber = new Fiber(fn() => $pool->release($pool->acquire()));
$fiber->start();
$left = WeakReference::create($pool);
unset($pool, $fiber);
gc_collect_cycles();
var_dump($left->get());
echo live(), "\n";
?>
--EXPECT--
NULL
0
