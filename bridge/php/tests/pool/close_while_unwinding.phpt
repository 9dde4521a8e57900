--TEST--
Pool: going while an exception unwinds keeps that exception (B113, B114)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

function fails(?Closure $destructor): void
{
    $pool = new Pool(factory: fn() => 1, destructor: $destructor, min: 1);
    throw new DomainException('original');
}

echo thrown(fn() => fails(null));
echo thrown(fn() => fails(hook('destructor')));
// PHP itself makes what a destructor throws the outer one; neither is lost
echo thrown(fn() => fails(fn() => throw new LogicException('destructor')));
echo live(), "\n";
?>
--EXPECT--
DomainException: original
destructor(1)
DomainException: original
LogicException: destructor < DomainException: original
0
