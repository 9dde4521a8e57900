--TEST--
A forked child does not run what its parent has spawned (E1)
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) die('skip pcntl is not there');
if (getenv('ASYNCPOOL_TEST_LOOP') === 'revolt') die('skip Revolt has one loop');
?>
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\await;
use function Async\delay;
use function Async\spawn;

$parent = getmypid();
spawn(function () use ($parent): void {
    delay(5);
    echo getmypid() === $parent ? "the parent's\n" : "not reached\n";
});
$child = pcntl_fork();
if ($child === 0) {
    echo await(spawn(function (): string {
        delay(20);
        return 'the child has its own';
    })), "\n";
    exit(0);
}
pcntl_waitpid($child, $status);
echo 'exit code ', pcntl_wexitstatus($status), "\n";
?>
--EXPECT--
the child has its own
exit code 0
the parent's
