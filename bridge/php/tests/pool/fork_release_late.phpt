--TEST--
Pool: a child of fork() destroys nothing of its parent's, whatever it releases to pools that are gone (E1)
--SKIPIF--
<?php if (!extension_loaded('pcntl')) die('skip pcntl is not there'); ?>
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

/** Gives back when it goes. */
final class Lease
{
    public function __construct(private Pool $pool, private mixed $resource)
    {
    }

    public function __destruct()
    {
        echo thrown(fn() => $this->pool->release($this->resource));
    }
}

$make = fn(string $name) => new Pool(fn() => $name, hook('destructor'), beforeRelease: hook('beforeRelease'));
$before = $make('gone before');
$lease = new Lease($before, $before->acquire());
$before->__destruct();
$there = $make('gone there');
$other = new Lease($there, $there->acquire());
$child = pcntl_fork();
if ($child === 0) {
    $there->__destruct();
    unset($lease, $other);
    exit;
}
pcntl_waitpid($child, $status);
echo 'parent ', $status, "\n";
unset($lease, $other);
?>
--EXPECTF--
Async\PoolException: Pool failed: the library was loaded before fork()%s
Async\PoolException: Pool failed: the library was loaded before fork()%s
parent 0
beforeRelease(gone before)
destructor(gone before)
nothing thrown
beforeRelease(gone there)
nothing thrown
destructor(gone there)
