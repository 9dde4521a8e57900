--TEST--
Pool: a child of fork() gets clean errors from its parent's pools, and runs no destructor (E1)
--SKIPIF--
<?php if (!extension_loaded('pcntl')) die('skip pcntl is not there'); ?>
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), destructor: hook('destructor'), min: 2, max: 3, healthcheckInterval: 1000);
$held = $pool->acquire();
$child = pcntl_fork();
if ($child === 0) {
    echo 'child ', counts($pool);
    echo thrown(fn() => $pool->acquire());
    echo thrown(fn() => $pool->tryAcquire());
    echo thrown(fn() => $pool->release($held));
    echo thrown($pool->close(...));
    echo thrown($pool->activate(...));
    echo strtok(thrown(fn() => new Pool(factory: counter())), ':'), "\n";
    exit;
}
pcntl_waitpid($child, $status);
echo 'parent ', $status, ' ', counts($pool);
$pool->release($held);
$pool->close();
?>
--EXPECTF--
factory(1)
factory(2)
child 0/0/0
Async\PoolException: Pool failed: the library was loaded before fork()%s
Async\PoolException: Pool failed: the library was loaded before fork()%s
Async\PoolException: Pool failed: the library was loaded before fork()%s
Async\PoolException: Pool failed: the library was loaded before fork()%s
Async\PoolException: Pool failed: the library was loaded before fork()%s
Async\PoolException
parent 0 1/1/2
destructor(2)
destructor(1)
