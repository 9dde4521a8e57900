--TEST--
Pool: an exit after a hook of the same call has failed ends the script, and the failure is not told (P27)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: counter(), destructor: function (int $r): void {
    echo "destructor($r)\n";
    $r === 1 ? throw new DomainException('first') : exit();
}, min: 2);
register_shutdown_function(fn() => print('shutdown ' . counts($pool)));
$pool->close();
echo "not reached\n";
?>
--EXPECT--
factory(1)
factory(2)
destructor(1)
destructor(2)
shutdown 0/1/1
