--TEST--
Pool: the guide's parameters, in its order, with its defaults (B02)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

foreach ((new ReflectionMethod(Pool::class, '__construct'))->getParameters() as $parameter) {
    echo $parameter->getType(), ' $', $parameter->getName();
    echo $parameter->isOptional() ? ' = ' . json_encode($parameter->getDefaultValue()) : '', "\n";
}

// by position, all hooks absent: always fine
$pool = new Pool(counter(), null, null, null, null, 1, 2, 0);
$pool->release($pool->acquire());
$pool->close();
echo counts($pool);
?>
--EXPECT--
callable $factory
?callable $destructor = null
?callable $healthcheck = null
?callable $beforeAcquire = null
?callable $beforeRelease = null
int $min = 0
int $max = 10
int $healthcheckInterval = 0
int $maxLifetime = 0
int $lifetimeJitter = 0
int $idleTimeout = 0
int $maxUses = 0
int $checkAfter = 0
int $leakAfter = 0
?callable $onLeak = null
int $maxWaiting = 0
int $createRetry = 0
int $createRetryMax = 0
bool $lifo = false
bool $lazyMin = false
bool $createBehind = false
array $discardOn = []
int $minIdle = 0
bool $timed = false
?Async\Budget $budget = null
factory(1)
0/0/0
