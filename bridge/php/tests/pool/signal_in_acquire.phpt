--TEST--
Pool: a signal during acquire(600000) is handled while it waits (P28)
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
pcntl_signal(SIGTERM, function (): void {
    throw new DomainException('terminated');
});
$pool = new Pool(factory: fn() => 1, max: 1);
$held = $pool->acquire();
$file = tempnam(sys_get_temp_dir(), 'asyncpool');
$parent = getmypid();
for ($try = 0; $try < 5; $try++) {
    $child = pcntl_fork();
    if ($child === 0) {
        while (!file_exists("$file.waits")) { // the parent is about to wait,
        }
        while (!preg_match('/\) S /', (string) file_get_contents("/proc/$parent/stat"))) { // and does
        }
        posix_kill($parent, SIGTERM);
        posix_kill(getmypid(), SIGKILL);
    }
    touch("$file.waits");
    echo thrown(fn() => $pool->acquire(600_000));
    pcntl_waitpid($child, $status);
    unlink("$file.waits");
}
echo counts($pool);
unlink($file);
?>
--EXPECT--
DomainException: terminated
DomainException: terminated
DomainException: terminated
DomainException: terminated
DomainException: terminated
0/1/1
