--TEST--
Pool: a pool is equal to itself alone (B13)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$factory = fn() => 1;
$pool = new Pool($factory);
$other = new Pool($factory);
var_dump($pool == $pool, $pool === $pool, $pool == $other, $pool === $other, $pool == null, $pool == true);
var_dump(in_array($other, [$pool]), array_search($pool, [$other, $pool]));
unset($pool, $other);
echo live(), "\n";
?>
--EXPECT--
bool(true)
bool(true)
bool(false)
bool(false)
bool(false)
bool(true)
bool(false)
int(1)
0
