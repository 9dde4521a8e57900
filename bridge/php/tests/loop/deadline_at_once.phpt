--TEST--
A deadline that comes while its timer is being set is one that has come
--FILE--
<?php

require __DIR__ . '/loop.inc';

$over = 0;
for ($sweep = 0; $sweep < 10; $sweep++) {
    for ($ns = 0; $ns < 20_000; $ns += 20) { // somewhere among them is the time that setting it takes
        park($wait, hrtime(true) + $ns);
        $over++;
    }
}
echo $over, "\n";
?>
--EXPECT--
10000
