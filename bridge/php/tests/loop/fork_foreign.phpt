--TEST--
A forked child runs what it spawns to the end, also if a fiber of its parent's was in a wait (E1)
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) die('skip pcntl is not there');
if (getenv('ASYNCPOOL_TEST_LOOP') === 'revolt') die('skip Revolt has one loop');
?>
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\delay;
use function Async\spawn;

$fiber = new Fiber(function (): void {
    try {
        park($wait);
    } catch (Exception $end) {
        echo $end->getMessage(), "\n";
    }
});
$fiber->start();
$child = pcntl_fork();
if ($child === 0) {
    delay(1);
    $fiber->throw(new Exception('the fiber has ended'));
    spawn(function (): void {
        delay(1);
        echo "the child's own has run\n";
        exit(0);
    });
    return;
}
pcntl_waitpid($child, $status);
echo 'exit code ', pcntl_wexitstatus($status), "\n";
$fiber->throw(new Exception('so has the parent\'s'));
?>
--EXPECT--
the fiber has ended
the child's own has run
exit code 0
so has the parent's
