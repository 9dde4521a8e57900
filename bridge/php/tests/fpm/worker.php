<?php

// One request: borrows from this worker's own pool, beside a coroutine that has to wait for it, and says who it was.

require __DIR__ . '/../../autoload.php';

use Async\Internal\Library;
use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;

function live(): int
{
    return extension_loaded('asyncpool')
        ? FFI::cdef('uint32_t pool_debug_live(void);', ini_get('asyncpool.library'))->pool_debug_live()
        : Library::ffi()->pool_debug_live();
}

$loaded = str_contains(file_get_contents('/proc/self/maps'), 'libasyncpool');
$left = $loaded ? live() : 0; // of the requests before
$destroyed = 0;
$pool = new Pool(
    factory: fn() => new ArrayObject([getmypid()]),
    destructor: function () use (&$destroyed): void {
        $destroyed++;
    },
    min: 1,
    max: 2,
    healthcheck: fn() => true,
    healthcheckInterval: 1,
);
$tasks = [];
for ($i = 0; $i < 6; $i++) {
    $tasks[] = spawn(function () use ($pool): int {
        $resource = $pool->acquire(timeout: 30_000);
        delay(1);
        $pool->release($resource);
        return $resource[0];
    });
}
$pids = array_unique(array_map(await(...), $tasks));
$count = $pool->count();
$pool->close();
if (isset($_GET['fail'])) { // a fatal error in a callable
    $native = extension_loaded('asyncpool');
    $GLOBALS['fails'] = new Pool(factory: fn() => str_repeat('x', 1 << 30), min: $native ? 1 : 0);
    $GLOBALS['fails']->acquire();
}
if (isset($_GET['leave'])) {
    $GLOBALS['stays'] = new Pool(factory: fn() => new ArrayObject(), min: 3); // ends with the request
    $GLOBALS['lent'] = $GLOBALS['stays']->acquire();
}
echo json_encode([
    'worker' => getmypid(),
    'own' => $pids === [getmypid()],
    'kept' => $count,
    'destroyed' => $destroyed,
    'class' => (new ReflectionClass(Pool::class))->isInternal() ? 'native' : 'FFI',
    'left' => $left,
    'first' => !$loaded,
]), "\n";
