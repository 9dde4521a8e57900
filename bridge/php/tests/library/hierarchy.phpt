--TEST--
What is an exception of what, and the enum and interfaces of the guide (B13)
--FILE--
<?php

require __DIR__ . '/../../autoload.php';

use Async\AsyncCancellation;
use Async\AsyncException;
use Async\CircuitBreaker;
use Async\CircuitBreakerState;
use Async\CircuitBreakerStrategy;
use Async\DeadlockError;
use Async\PoolException;
use Async\ServiceUnavailableException;
use Async\TimeoutException;

var_dump(
    get_parent_class(AsyncException::class),
    get_parent_class(PoolException::class),
    get_parent_class(TimeoutException::class),
    get_parent_class(ServiceUnavailableException::class),
    get_parent_class(AsyncCancellation::class),
    get_parent_class(DeadlockError::class),
);
echo implode(' ', array_column(CircuitBreakerState::cases(), 'name')), "\n";
echo implode(' ', get_class_methods(CircuitBreaker::class)), "\n";
echo implode(' ', get_class_methods(CircuitBreakerStrategy::class)), "\n";
?>
--EXPECT--
string(9) "Exception"
string(20) "Async\AsyncException"
string(19) "Async\PoolException"
string(20) "Async\AsyncException"
string(5) "Error"
string(5) "Error"
ACTIVE INACTIVE RECOVERING
getState activate deactivate recover setCircuitBreakerStrategy
reportSuccess reportFailure
