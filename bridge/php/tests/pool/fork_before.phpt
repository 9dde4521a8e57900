--TEST--
Pool: a child of fork() that uses the library first has a pool of its own (E1)
--SKIPIF--
<?php if (!extension_loaded('pcntl')) die('skip pcntl is not there'); ?>
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;

$child = pcntl_fork();
$pool = new Pool(factory: fn() => new stdClass(), min: 1, max: 1);
for ($i = 0; $i < 100; $i++) {
    $pool->release($pool->acquire());
}
$task = spawn(fn() => $pool->acquire());
await($task);
echo thrown(fn() => $pool->acquire(timeout: 5));
gc_collect_cycles();
if ($child === 0) {
    exit(7);
}
pcntl_waitpid($child, $status);
var_dump(pcntl_wexitstatus($status));
?>
--EXPECT--
Async\TimeoutException: Operation has been cancelled by timeout
Async\TimeoutException: Operation has been cancelled by timeout
int(7)
