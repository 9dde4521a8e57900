--TEST--
The extension: what the Go runtime would end the process for is told before the library is loaded (P41)
--FILE--
<?php

$code = 'try { echo (new Async\\Pool(factory: fn() => "made"))->acquire(), "\n"; } '
    . 'catch (Async\\AsyncException $error) { echo $error->getMessage(), "\n"; }';

function run(string $before, string $code): void
{
    $command = escapeshellarg(PHP_BINARY) . ' -r ' . escapeshellarg($code);
    passthru("$before exec $command 2>&1", $status);
    echo "ended with $status\n";
}
foreach (['v 500000', 'd 50000'] as $limit) {
    run("ulimit -s 8192; ulimit -$limit;", $code);
}
foreach (['junk', '5MB', '8388608TiB', '-1'] as $limit) {
    run('GOMEMLIMIT=' . escapeshellarg($limit), $code);
}
foreach (['', 'off', '500MiB', '+500000000', '0002GiB'] as $limit) {
    run('GOMEMLIMIT=' . escapeshellarg($limit), $code);
}
run('', 'putenv("GOMEMLIMIT=1e9");' . $code);
run('ulimit -s 8192; ulimit -v 4000000; ulimit -d 1000000;', $code);
?>
--EXPECTF--
asyncpool: cannot use the library %s: %s is not loaded: the limit of address space (RLIMIT_AS, ulimit -v) is 500000 KiB, %d KiB are in use, and the Go runtime needs 917504 KiB more to start, or it ends the process: raise it to %d KiB at least (wanted: %s)
ended with 0
asyncpool: cannot use the library %s: %s is not loaded: the limit of data (RLIMIT_DATA, ulimit -d) is 50000 KiB, %d KiB are in use, and the Go runtime needs 114688 KiB more to start, or it ends the process: raise it to %d KiB at least (wanted: %s)
ended with 0
asyncpool: cannot use the library %s: %s is not loaded: GOMEMLIMIT is "junk", which the Go runtime cannot read, so that it ends the process: start the process without it, or with bytes (500000000), a unit (500MiB), or off (wanted: %s)
ended with 0
asyncpool: cannot use the library %s: %s is not loaded: GOMEMLIMIT is "5MB", which the Go runtime cannot read, so that it ends the process: start the process without it, or with bytes (500000000), a unit (500MiB), or off (wanted: %s)
ended with 0
asyncpool: cannot use the library %s: %s is not loaded: GOMEMLIMIT is "8388608TiB", which the Go runtime cannot read, so that it ends the process: start the process without it, or with bytes (500000000), a unit (500MiB), or off (wanted: %s)
ended with 0
asyncpool: cannot use the library %s: %s is not loaded: GOMEMLIMIT is "-1", which the Go runtime cannot read, so that it ends the process: start the process without it, or with bytes (500000000), a unit (500MiB), or off (wanted: %s)
ended with 0
made
ended with 0
made
ended with 0
made
ended with 0
made
ended with 0
made
ended with 0
asyncpool: cannot use the library %s: %s is not loaded: GOMEMLIMIT is "1e9", which the Go runtime cannot read, so that it ends the process: start the process without it, or with bytes (500000000), a unit (500MiB), or off (wanted: %s)
ended with 0
made
ended with 0
