--TEST--
What is called at the end of the main flow may fork, and wait in the child (E1)
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) die('skip pcntl is not there');
if (getenv('ASYNCPOOL_TEST_LOOP') === 'revolt') die('skip Revolt has one loop');
?>
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\current_coroutine;
use function Async\delay;

current_coroutine()->finally(function (): void {
    $child = pcntl_fork();
    if ($child === 0) {
        delay(1);
        echo "the child has waited\n";
        return;
    }
    pcntl_waitpid($child, $status);
    echo 'exit code ', pcntl_wexitstatus($status), "\n";
});
?>
--EXPECT--
the child has waited
exit code 0
