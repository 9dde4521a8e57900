--TEST--
What a fiber throws that the loop resumed is shown at the end of the script (P27)
--SKIPIF--
<?php if (getenv("ASYNCPOOL_TEST_LOOP") === "revolt") die("skip Revolt throws it from its loop"); ?>
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\delay;

$fiber = new Fiber(function (): void {
    delay(1);
    throw new DomainException('from a fiber');
});
$fiber->start();
delay(5);
echo "the script ends\n";
?>
--EXPECTF--
the script ends

Fatal error: Uncaught DomainException: from a fiber in %sforeign_failure.php:%d
%A
