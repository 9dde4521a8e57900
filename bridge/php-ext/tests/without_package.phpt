--TEST--
The extension: without the package's autoload.php a pool lends, and only what has to wait fails (P30)
--FILE--
<?php
use Async\Pool;

function thrown(Closure $body): string
{
    try {
        $body();
    } catch (Throwable $error) {
        return $error::class . ': ' . $error->getMessage() . "\n";
    }

    return "nothing thrown\n";
}

$pool = new Pool(factory: fn() => 'made', destructor: fn() => print("destructor\n"), max: 1);
echo $held = $pool->acquire(), "\n";
echo thrown(fn() => $pool->acquire());
echo thrown(fn() => $pool->acquire(timeout: 1000));
var_dump($pool->tryAcquire());
$pool->release($held);
echo "{$pool->idleCount()}/{$pool->activeCount()}/{$pool->count()}\n";
$pool->close();
echo thrown(fn() => new Pool(factory: fn() => 1, healthcheck: fn() => true, min: 1, healthcheckInterval: 10));
spl_autoload_register(fn(string $class) => throw new DomainException("no $class"));
$pool = new Pool(factory: fn() => 'made', max: 1);
$held = $pool->acquire();
echo thrown(fn() => $pool->acquire());
$pool->release($held);
?>
--EXPECT--
made
Async\AsyncException: asyncpool: to wait takes the coroutines of the package asyncpool/asyncpool: require its autoload.php
Async\AsyncException: asyncpool: to wait takes the coroutines of the package asyncpool/asyncpool: require its autoload.php
NULL
1/0/1
destructor
Async\AsyncException: asyncpool: to wait takes the coroutines of the package asyncpool/asyncpool: require its autoload.php
DomainException: no Async\Internal\Runtime
