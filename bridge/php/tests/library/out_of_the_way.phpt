--TEST--
Where Async\Pool exists already, autoload.php defines nothing; loading it twice does no harm (P30)
--SKIPIF--
<?php if (extension_loaded('asyncpool')) die('skip with the extension: it is about what another one would do'); ?>
--FILE--
<?php

// As if an extension had brought it.
eval('namespace Async; final class Pool {}');
require __DIR__ . '/../../autoload.php';
var_dump(function_exists('Async\spawn'), class_exists(Async\Coroutine::class));

$twice = 'require "%1$s"; require "%1$s"; require "%2$s"; '
    . 'echo Async\await(Async\spawn(fn () => "works")), "\n";';
$copy = __DIR__ . '/../library/../../autoload.php';
system(escapeshellarg(PHP_BINARY) . ' -r ' . escapeshellarg(sprintf($twice, __DIR__ . '/../../autoload.php', $copy)));
?>
--EXPECT--
bool(false)
bool(false)
works
