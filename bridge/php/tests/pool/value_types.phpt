--TEST--
Pool: a resource is any value, and comes out as it went in (B10)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

class Connection
{
}

$values = [42, 'hello', '42', ['host' => 'a', 'port' => 1], 3.14, -0.0, NAN, true, false, new Connection(), fopen(__FILE__, 'r')];
foreach ($values as $value) {
    $pool = new Pool(factory: fn() => $value, destructor: fn($r) => print(get_debug_type($r) . "\n"), max: 1);
    $got = $pool->tryAcquire();
    var_dump($got === $value || is_nan($got));
    $pool->release($got);
    $pool->close();
}
?>
--EXPECT--
bool(true)
int
bool(true)
string
bool(true)
string
bool(true)
array
bool(true)
float
bool(true)
float
bool(true)
float
bool(true)
bool
bool(true)
bool
bool(true)
Connection
bool(true)
resource (stream)
