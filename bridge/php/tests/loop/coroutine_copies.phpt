--TEST--
Coroutine: there is one fiber behind an object, which is neither cloned nor serialized
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\await;
use function Async\spawn;

$coroutine = spawn(fn () => 'its result');
$tries = [
    'clone' => fn () => clone $coroutine,
    'serialize' => fn () => serialize($coroutine),
    'unserialize' => fn () => unserialize('O:15:"Async\Coroutine":0:{}'),
];
foreach ($tries as $name => $try) {
    try {
        $try();
        echo "$name: nothing thrown\n";
    } catch (Throwable $error) {
        echo "$name: ", $error::class, "\n";
    }
}
echo await($coroutine), "\n";
?>
--EXPECT--
clone: Error
serialize: Exception
unserialize: Exception
its result
