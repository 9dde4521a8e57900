--TEST--
Plain FFI: what throws, exits or is dropped inside a closure is a fatal error, after which the script still ends (E5, P31)
--FILE--
<?php

$code = <<<'CODE'
    $ffi = FFI::cdef(file_get_contents($argv[1]), getenv('ASYNCPOOL_LIBRARY'));
    $factory = [
        'throw' => fn (int $pool, FFI\CData $resource): bool => throw new DomainException(),
        'exit' => fn (int $pool, FFI\CData $resource): bool => exit(0),
        'drop' => fn (int $pool, FFI\CData $resource): bool => Fiber::suspend() ?? true,
    ][$argv[2]];
    register_shutdown_function(fn () => print("shutdown\n"));
    $pool = $ffi->pool_create_internal($factory, null, null, null, null, 0, 1, 0);
    $acquire = fn () => $ffi->pool_acquire($pool, FFI::addr($ffi->new('uintptr_t')), 0);
    try {
        if ($argv[2] === 'drop') {
            (new Fiber($acquire))->start();
        } else {
            $acquire();
        }
    } catch (Throwable) {
        echo "caught\n";
    }
    echo "not reached\n";
    CODE;
$header = realpath(__DIR__ . '/../../../../include/asyncpool/pool_ffi.h');
foreach (['throw', 'exit', 'drop'] as $way) {
    $command = [PHP_BINARY, '-d', 'display_errors=1', '-d', 'log_errors=0', '-r', $code, $header, $way];
    exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $lines, $status);
    $kept = preg_grep('/^(PHP )?Fatal error|^shutdown|^caught|^not reached/', $lines);
    echo "$way $status: ", preg_replace('/ in .*? on line \d+/', '', implode(', ', $kept)), "\n";
    $lines = [];
}
?>
--EXPECT--
throw 255: Fatal error: Throwing from FFI callbacks is not allowed, shutdown
exit 255: Fatal error: Throwing from FFI callbacks is not allowed, shutdown
drop 255: Fatal error: Throwing from FFI callbacks is not allowed, shutdown
