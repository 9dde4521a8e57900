--TEST--
Plain FFI: closures may suspend their fibers, which go on in any order (E2, P31)
--FILE--
<?php

$declarations = file_get_contents(__DIR__ . '/../../../../include/asyncpool/pool_ffi.h');
$ffi = FFI::cdef($declarations, getenv('ASYNCPOOL_LIBRARY'));
$made = 0;
$pause = fn (int $pool, int $resource): bool => Fiber::suspend() ?? mt_rand(0, 3) > 0;
$pool = $ffi->pool_create_internal(
    function (int $pool, FFI\CData $resource) use (&$made): bool {
        Fiber::suspend();
        $resource[0] = ++$made;
        return true;
    },
    fn (int $pool, int $resource) => Fiber::suspend(),
    null,
    $pause,
    $pause,
    0, 4, 0,
);
$cycles = 0;
$fibers = [];
for ($i = 0; $i < 6; $i++) {
    $fibers[$i] = new Fiber(function () use ($ffi, $pool, &$cycles): void {
        $resource = $ffi->new('uintptr_t');
        for ($done = 0; $done < 20;) {
            // pool_acquire() would put all fibers to sleep.
            if ($ffi->pool_try_acquire($pool, FFI::addr($resource)) === $ffi->POOL_OK) {
                $cycles += $ffi->pool_release($pool, $resource->cdata) === $ffi->POOL_OK ? 1 : 0;
                $done++;
            }
            Fiber::suspend();
        }
    });
    $fibers[$i]->start();
}
while ($fibers !== []) {
    $key = array_rand($fibers);
    $fibers[$key]->resume();
    if ($fibers[$key]->isTerminated()) {
        unset($fibers[$key]);
    }
}
var_dump($cycles, $ffi->pool_active_count($pool));
?>
--EXPECT--
int(120)
int(0)
