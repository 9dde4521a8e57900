--TEST--
readable(): what PHP has read already makes a stream ready; who leaves it there holds nobody up (P88)
--FILE--
<?php

require __DIR__ . '/streams.inc';

use function Async\await;
use function Async\readable;
use function Async\spawn;
use function Async\writable;

[$mine, $theirs] = connection();
fwrite($theirs, "one\ntwo\n");
var_dump(readable($mine), fgets($mine)); // and PHP has the other line
var_dump(readable($mine));

[$another, $itsEnd] = connection();
$rounds = 0;
$lazy = spawn(function () use ($mine, &$rounds, &$isServed): void {
    while ($isServed !== 2) {
        readable($mine); // and reads nothing
        $rounds++;
    }
});
spawn(function () use ($another, &$isServed): void {
    readable($another);
    $isServed++;
});
spawn(function () use ($itsEnd, &$isServed): void {
    while (fwrite($itsEnd, str_repeat('.', 65536)) > 0) {
    }
    $isServed = 0;
    writable($itsEnd);
    $isServed++;
});
spawn(function () use ($another, &$rounds): void {
    while ($rounds < 10) {
        Async\suspend();
    }
    while (fread($another, 65536) !== '') {
    }
});
await($lazy);
var_dump(fgets($mine));
?>
--EXPECT--
bool(true)
string(4) "one
"
bool(true)
string(4) "two
"
