--TEST--
A fiber that somebody else resumes in turns goes on when its stream is ready, and not before (P29, P88)
--SKIPIF--
<?php if (getenv("ASYNCPOOL_TEST_LOOP") === "revolt") die("skip Revolt resumes its fibers itself"); ?>
--FILE--
<?php

require __DIR__ . '/streams.inc';

use function Async\readable;

[$mine, $theirs] = connection();
$fiber = new Fiber(fn (): bool => readable($mine));
$fiber->start();
// The loop never runs here.
$fiber->resume();
var_dump($fiber->isTerminated());
fwrite($theirs, '.');
$fiber->resume();
var_dump($fiber->isTerminated() && $fiber->getReturn());
?>
--EXPECT--
bool(false)
bool(true)
