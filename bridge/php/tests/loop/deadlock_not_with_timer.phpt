--TEST--
No DeadlockError while a deadline is pending, whoever waits for it (P25)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\delay;
use function Async\spawn;

// The main flow waits for what only the background will do, later.
loop()->spawn(function () use (&$wait): void {
    delay(30);
    loop()->resume($wait, 'from the background');
}, background: true);
var_dump(park($wait));

$begin = hrtime(true);
var_dump(park($wait, $begin + 20_000_000));
var_dump(hrtime(true) - $begin >= 20_000_000);
?>
--EXPECT--
string(19) "from the background"
NULL
bool(true)
