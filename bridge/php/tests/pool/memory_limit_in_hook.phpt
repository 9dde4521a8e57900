--TEST--
Pool: running out of memory inside a hook is a plain fatal error (E5, P27)
--INI--
memory_limit=16M
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;

register_shutdown_function(fn() => print("shutdown\n"));
$pool = new Pool(factory: counter(), destructor: hook('destructor'), beforeRelease: function (): bool {
    return str_repeat('x', 1 << 30) !== '';
}, min: 2, max: 2);
$task = spawn(fn() => $pool->release($pool->acquire()));
await($task);
echo "not reached\n";
?>
--EXPECTF--
factory(1)
factory(2)

Fatal error: Allowed memory size of 16777216 bytes exhausted (tried to allocate %d bytes) in %s on line %d
shutdown
