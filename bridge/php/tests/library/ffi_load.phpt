--TEST--
pool_ffi.h is loaded by FFI::load(), which asks the system's loader for the library (P31)
--FILE--
<?php

$header = realpath(__DIR__ . '/../../../../include/asyncpool/pool_ffi.h');
$code = sprintf('$ffi = FFI::load(%s); echo $ffi->pool_version(), " ", $ffi->pool_abi_version(), "\n";'
    . 'var_dump($ffi->POOL_ABI_VERSION, $ffi->POOL_F_HOST_DRIVEN === 1 << 8);', var_export($header, true));
$folder = dirname(getenv('ASYNCPOOL_LIBRARY'));
system('LD_LIBRARY_PATH=' . escapeshellarg($folder) . ' ' . escapeshellarg(PHP_BINARY) . ' -r ' . escapeshellarg($code));
?>
--EXPECTF--
%d.%d.%d 1
int(1)
bool(true)
