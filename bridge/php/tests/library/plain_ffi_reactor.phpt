--TEST--
Plain FFI: with POOL_F_REACTOR healthchecks with closures run inside pool_dispatch() (E4, P31)
--FILE--
<?php

$declarations = file_get_contents(__DIR__ . '/../../../../include/asyncpool/pool_ffi.h');
$ffi = FFI::cdef($declarations, getenv('ASYNCPOOL_LIBRARY'));
$made = 0;
$inside = false;
$config = $ffi->new('pool_config_t');
$config->struct_size = FFI::sizeof($config);
$config->factory = function (int $pool, FFI\CData $resource) use (&$made): bool {
    $resource[0] = ++$made;
    return true;
};
$config->destructor = function (int $pool, int $resource): void {
    echo "destroyed $resource\n";
};
$config->healthcheck = function (int $pool, int $resource) use (&$inside): bool {
    echo "checked $resource ", $inside ? 'inside' : 'outside', "\n";
    return $resource !== 1;
};
$config->min_size = 2;
$config->max_size = 2;
$config->healthcheck_interval_ms = 20;
$config->flags = $ffi->POOL_F_REACTOR;
$handle = $ffi->new('uintptr_t');
var_dump($ffi->pool_create_ex(FFI::addr($config), FFI::addr($handle)) === $ffi->POOL_OK);
$pool = $handle->cdata;
while ($made < 3) {
    // What a loop does: it sleeps for as long as it is told.
    usleep(1000 * $ffi->pool_next_timeout($pool));
    $inside = true;
    $ffi->pool_dispatch($pool);
    $inside = false;
}
$ffi->pool_unref($pool); // 3 was made before 2 had been checked
?>
--EXPECT--
bool(true)
checked 1 inside
destroyed 1
checked 2 inside
destroyed 3
destroyed 2
