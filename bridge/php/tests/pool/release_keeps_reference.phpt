--TEST--
Pool: a released object stays its caller's (B52, B152)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(
    factory: fn() => new ArrayObject(['name' => 'mine']),
    destructor: hook('destructor'),
    beforeRelease: fn() => false,
    max: 1,
);
$object = $pool->acquire();
$object['name'] = 'still mine';
$pool->release($object);
echo $object['name'], "\n";
echo counts($pool);

$object = $pool->acquire();
$pool->close();
$pool->release($object);
echo $object['name'], "\n";
$weak = WeakReference::create($object);
unset($object);
var_dump($weak->get());
?>
--EXPECT--
destructor(ArrayObject)
still mine
0/0/0
destructor(ArrayObject)
mine
NULL
