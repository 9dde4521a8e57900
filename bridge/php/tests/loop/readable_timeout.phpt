--TEST--
readable(), writable(): false when the time is up; what is ready by then wins, however late it is looked at (P88)
--FILE--
<?php

require __DIR__ . '/streams.inc';

use function Async\await;
use function Async\readable;
use function Async\spawn;
use function Async\suspend;
use function Async\writable;

[$mine, $theirs] = connection();
$begin = hrtime(true);
var_dump(readable($mine, 20), hrtime(true) - $begin >= 20_000_000);
$waiting = spawn(fn () => readable($mine, 20));
var_dump(await($waiting));

// Nobody looks at anything until its time has come.
$waiting = spawn(fn () => readable($mine, 1));
suspend();
fwrite($theirs, '.');
$begin = hrtime(true);
while (hrtime(true) - $begin < 2_000_000) {
}
var_dump(await($waiting));

while (fwrite($mine, str_repeat('.', 65536)) > 0) {
}
var_dump(writable($mine, 1));
var_dump(readable($mine, PHP_INT_MAX));
?>
--EXPECT--
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
