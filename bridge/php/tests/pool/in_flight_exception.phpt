--TEST--
Pool: an exception on its way survives release(), whatever hooks do (B70, E5)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

foreach ([true, false, 'throws'] as $answer) {
    $pool = new Pool(
        factory: fn() => 1,
        beforeRelease: fn() => $answer === 'throws' ? throw new LogicException('hook') : $answer,
    );
    $pool->setCircuitBreakerStrategy(teller(fn() => throw new LogicException('strategy')));
    try {
        $resource = $pool->acquire();
        try {
            throw new DomainException('original');
        } finally {
            $pool->release($resource);
        }
    } catch (DomainException $caught) {
        var_dump($caught->getMessage(), $caught->getPrevious());
    }
}
?>
--EXPECT--
success
string(8) "original"
NULL
failure: Exception: Resource validation failed
string(8) "original"
NULL
failure: LogicException: hook
string(8) "original"
NULL
