--TEST--
Pool: a signal during acquire(30000) is handled within 100 ms
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) die('skip pcntl is not there');
if (getenv('ASYNCPOOL_TEST_LOOP') === 'revolt') die('skip Revolt handles signals itself');
?>
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

pcntl_async_signals(true);
$sent = 0;
pcntl_signal(SIGTERM, function () use (&$sent): void {
    $took = (microtime(true) - (float) file_get_contents($GLOBALS['file'])) * 1000;
    echo $took < 100 ? "handled\n" : "handled after $took ms\n";
    throw new DomainException('terminated');
});
$file = tempnam(sys_get_temp_dir(), 'asyncpool');
$parent = getmypid();
$child = pcntl_fork();
if ($child === 0) {
    while (!file_exists("$file.waits")) { // the parent is about to wait,
    }
    while (!preg_match('/\) S /', (string) file_get_contents("/proc/$parent/stat"))) { // and does
    }
    file_put_contents($file, (string) microtime(true));
    posix_kill($parent, SIGTERM);
    posix_kill(getmypid(), SIGKILL);
}
$pool = new Pool(factory: fn() => 1, max: 1);
$held = $pool->acquire();
touch("$file.waits");
echo thrown(fn() => $pool->acquire(30_000));
echo counts($pool);
pcntl_waitpid($child, $status);
unlink($file);
unlink("$file.waits");
?>
--EXPECT--
handled
DomainException: terminated
0/1/1
