--TEST--
Pool: what happens inside release(), accepted and refused (B49, B124, B125, B134, B153)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$refuse = false;
$kept = null;
$pool = new Pool(
    factory: counter(),
    destructor: hook('destructor'),
    beforeRelease: hook('beforeRelease', function () use (&$refuse): bool {
        return !$refuse;
    }),
    max: 1,
);
$strategy = teller(function (Pool $source, ?Throwable $error) use ($pool, &$kept): void {
    var_dump($source === $pool);
    echo counts($source);
    $kept = $error;
});
$pool->setCircuitBreakerStrategy($strategy);
$pool->release($pool->acquire());
echo counts($pool);
$refuse = true;
$pool->release($pool->acquire());
echo counts($pool);
var_dump($kept::class, $kept->getMessage());
?>
--EXPECT--
factory(1)
beforeRelease(1)
success
bool(true)
0/1/1
1/0/1
beforeRelease(1)
failure: Exception: Resource validation failed
bool(true)
0/1/1
destructor(1)
0/0/0
string(9) "Exception"
string(26) "Resource validation failed"
