--TEST--
Pool: reportFailure() is given what beforeRelease threw (B126)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$failure = new DomainException('connection reset');
$pool = new Pool(factory: counter(), beforeRelease: fn() => throw $failure);
$pool->setCircuitBreakerStrategy(teller(function (Pool $source, ?Throwable $error) use ($failure): void {
    var_dump($error === $failure);
}));
$pool->release($pool->acquire());
echo counts($pool);
?>
--EXPECT--
factory(1)
failure: DomainException: connection reset
bool(true)
0/0/0
