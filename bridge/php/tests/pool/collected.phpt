--TEST--
Pool: one in a cycle that is collected destroys what is idle, nothing leaks (B149, B151)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$owner = new stdClass();
$owner->pool = new Pool(factory: fn() => $owner, destructor: function (): void {
    echo "destructor\n";
}, min: 2);
unset($owner);
var_dump(live());
var_dump(gc_collect_cycles());
?>
--EXPECT--
destructor
destructor
int(0)
int(0)
