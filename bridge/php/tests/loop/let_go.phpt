--TEST--
A fiber that has waited is let go when nobody refers to it, whoever made it; so is a coroutine that nobody can resume (P26)
--FILE--
<?php
require __DIR__ . '/loop.inc';

use function Async\spawn;
use function Async\suspend;

$fiber = new Fiber(function (): void {
    park($GLOBALS['wait']);
    suspend();
});
$fiber->start();
loop()->resume($wait);
while (!$fiber->isTerminated()) {
    suspend();
}
$weak = WeakReference::create($fiber);
unset($fiber);
suspend();
gc_collect_cycles();
var_dump($weak->get());

$weak = null;
spawn(function () use (&$weak): void {
    $weak = WeakReference::create(Fiber::getCurrent());
    Fiber::suspend();
});
suspend();
suspend();
gc_collect_cycles();
var_dump($weak->get());
?>
--EXPECT--
NULL
NULL
