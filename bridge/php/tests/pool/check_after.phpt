--TEST--
Pool: beforeAcquire is not asked about what came back just now
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$asked = 0;
$ask = function () use (&$asked): bool { $asked++; return true; };
$never = new Pool(counter(), beforeAcquire: $ask, min: 1, checkAfter: 3_600_000);
$always = new Pool(counter(), beforeAcquire: $ask, min: 1);
for ($i = 0; $i < 5; $i++) {
    $never->release($never->acquire());
    $never->release($never->tryAcquire());
}
var_dump($asked);
for ($i = 0; $i < 5; $i++) {
    $always->release($always->acquire());
}
var_dump($asked);

// what was idle for longer is asked about
$asked = 0;
$later = new Pool(counter(), beforeAcquire: $ask, min: 1, checkAfter: 1);
for ($ms = 1; $asked === 0; $ms *= 2) { // ages are kept by a coarse clock
    Async\delay($ms);
    $later->release($later->acquire());
}
var_dump($asked);
?>
--EXPECT--
factory(1)
factory(1)
int(0)
int(5)
factory(1)
int(1)
