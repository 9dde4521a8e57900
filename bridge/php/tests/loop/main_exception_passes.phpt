--TEST--
An exception that ends the main flow wait leaves the loop usable (P27)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\await;
use function Async\delay;
use function Async\spawn;

for ($i = 0; $i < 3; $i++) {
    spawn(function () use (&$wait, $i): void {
        loop()->throw($wait, new DomainException("number $i"));
    });
    try {
        park($wait);
    } catch (DomainException $error) {
        echo $error->getMessage(), "\n";
    }
}
var_dump(await(spawn(function (): string {
    delay(1);
    return 'usable';
})));
?>
--EXPECT--
number 0
number 1
number 2
string(6) "usable"
