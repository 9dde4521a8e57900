--TEST--
pool_ffi.h by itself: pool_create_internal() with closures as hooks, as any FFI user may call it (B16, P31)
--FILE--
<?php

$declarations = file_get_contents(__DIR__ . '/../../../../include/asyncpool/pool_ffi.h');
$ffi = FFI::cdef($declarations, getenv('ASYNCPOOL_LIBRARY'));
$made = 0;
$pool = $ffi->pool_create_internal(
    function (int $pool, FFI\CData $resource) use (&$made): bool {
        $resource[0] = ++$made;
        return true;
    },
    function (int $pool, int $resource): void {
        echo "destroyed $resource\n";
    },
    null,
    null,
    fn (int $pool, int $resource): bool => $resource !== 2,
    1,
    2,
    0,
);
$resource = $ffi->new('uintptr_t');
for ($i = 0; $i < 2; $i++) {
    var_dump($ffi->pool_acquire($pool, FFI::addr($resource), 100) === $ffi->POOL_OK, $resource->cdata);
}
var_dump($ffi->pool_acquire($pool, FFI::addr($resource), 1) === $ffi->POOL_ERR_TIMEOUT);
var_dump($ffi->pool_release($pool, 2), $ffi->pool_release($pool, 1), $ffi->pool_take($pool));
var_dump($ffi->pool_release($pool, 1), $ffi->pool_count($pool), $ffi->pool_strerror(-4));
$ffi->pool_unref($pool);
var_dump($ffi->pool_debug_live());
?>
--EXPECT--
bool(true)
int(1)
bool(true)
int(2)
bool(true)
destroyed 2
int(0)
int(0)
int(1)
int(0)
int(1)
string(32) "timed out waiting for a resource"
destroyed 1
int(0)
