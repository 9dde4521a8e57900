--TEST--
Several of them are shown together; the exception handler of the script gets each (P27)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\spawn;

if (($argv[1] ?? '') !== 'handler') {
    // A child with a handler first.
    passthru(escapeshellarg(PHP_BINARY) . ' ' . escapeshellarg(__FILE__) . ' handler 2>&1', $code);
    echo "exit code $code\n";
} else {
    set_exception_handler(function (Throwable $error): void {
        echo 'handled: ', $error->getMessage(), "\n";
    });
}
spawn(fn () => throw new DomainException('the first'));
spawn(fn () => throw new RangeException('the second'));
?>
--EXPECTF--
handled: the first
handled: the second
exit code 0

Fatal error: Uncaught DomainException: the first in %suncaught_many.php:%d
Stack trace:
%A
Next Async\AsyncException: 2 coroutines failed and nobody awaited them:
  DomainException: the first in %suncaught_many.php:%d
  RangeException: the second in %suncaught_many.php:%d in %s
%A
