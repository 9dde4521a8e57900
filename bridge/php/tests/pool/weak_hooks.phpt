--TEST--
Pool: hooks and factory are called as PHP calls callbacks: arguments convert (P33)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$file = __DIR__ . '/weak_hooks.tmp.php';
file_put_contents($file, '<?php return fn(string $r): int => print("hook($r)\n");');
$hook = require $file;
unlink($file);
$pool = new Pool(factory: fn() => 42, destructor: $hook, beforeAcquire: $hook, beforeRelease: $hook, min: 1);
$pool->release($pool->acquire());
$pool->close();
$named = new Pool(factory: 'getmypid', destructor: 'strval');
$named->release($named->acquire());
$named->close();
?>
--EXPECT--
hook(42)
hook(42)
hook(42)
