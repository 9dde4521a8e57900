--TEST--
Pool: its class, and the family of its exceptions (B13, B100, B121, R34)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$class = new ReflectionClass(Pool::class);
var_dump($class->isFinal(), $class->isCloneable());
var_dump($class->implementsInterface(Countable::class));
var_dump($class->implementsInterface(Async\CircuitBreaker::class));
echo get_parent_class(Async\PoolException::class), "\n";
echo get_parent_class(Async\TimeoutException::class), "\n";
echo get_parent_class(Async\OverloadedException::class), "\n";
echo get_parent_class(Async\TryLater::class), "\n";
echo get_parent_class(Async\ServiceUnavailableException::class), "\n";
echo get_parent_class(Async\AsyncException::class), "\n";
$public = array_map(fn($method) => $method->getName(), $class->getMethods(ReflectionMethod::IS_PUBLIC));
echo implode(' ', array_filter($public, fn($name) => !str_starts_with($name, '__'))), "\n";
?>
--EXPECT--
bool(true)
bool(false)
bool(true)
bool(true)
Async\AsyncException
Async\PoolException
Async\PoolException
Async\PoolException
Async\AsyncException
Exception
acquire tryAcquire release discard detach with close drain evict resize trim isClosed count idleCount activeCount waitingCount stats lends setCircuitBreakerStrategy setThreshold getState activate deactivate recover
