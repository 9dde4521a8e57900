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
pcntl_signal(SIGTERM, function () use (&$handled): void {
    $handled = hrtime(true);
    throw new DomainException('terminated');
});
$pool = new Pool(factory: fn() => 1, max: 1);
$held = $pool->acquire();
$file = tempnam(sys_get_temp_dir(), 'asyncpool');
$parent = getmypid();
$least = INF;
// A busy machine may hold up one of the two: then once more.
for ($try = 0; $try < 20 && $least >= 100; $try++) {
    $child = pcntl_fork();
    if ($child === 0) {
        while (!file_exists("$file.waits")) { // the parent is about to wait,
        }
        while (!preg_match('/\) S /', (string) file_get_contents("/proc/$parent/stat"))) { // and does
        }
        file_put_contents($file, (string) hrtime(true));
        posix_kill($parent, SIGTERM);
        posix_kill(getmypid(), SIGKILL);
    }
    touch("$file.waits");
    $thrown = thrown(fn() => $pool->acquire(30_000));
    pcntl_waitpid($child, $status);
    $least = min($least, ($handled - (int) file_get_contents($file)) / 1e6);
    unlink("$file.waits");
}
echo $least < 100 ? "handled\n" : "handled after $least ms\n";
echo $thrown, counts($pool);
unlink($file);
?>
--EXPECT--
handled
DomainException: terminated
0/1/1
