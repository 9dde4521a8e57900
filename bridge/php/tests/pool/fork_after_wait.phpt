--TEST--
Pool: a child of fork() has a loop of its own, also for the healthchecks of a pool that has waited in its parent's (E1)
--SKIPIF--
<?php if (!extension_loaded('pcntl')) die('skip pcntl is not there'); ?>
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

$pool = new Pool(factory: fn() => new stdClass(), healthcheck: fn() => true, max: 1, healthcheckInterval: 3_600_000);
$held = $pool->acquire();
echo thrown(fn() => $pool->acquire(timeout: 1));
$child = pcntl_fork();
if ($child === 0) {
    delay(1); // the parent's loop has gone by then
    echo thrown(fn() => $pool->close()); // ends the healthchecks
    delay(1);
    exit(7);
}
pcntl_waitpid($child, $status);
var_dump(pcntl_wexitstatus($status));
echo thrown(fn() => $pool->acquire(timeout: 1));
?>
--EXPECT--
Async\TimeoutException: Operation has been cancelled by timeout
Async\PoolException: Pool failed: the library was loaded before fork(): make the first pool in the child, not before in its parent or in a preload script
int(7)
Async\TimeoutException: Operation has been cancelled by timeout
