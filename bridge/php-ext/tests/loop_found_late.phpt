--TEST--
The extension: who is served while its first wait still looks for Revolt does not wait (P30)
--FILE--
<?php
use Async\Pool;

$pool = new Pool(factory: fn() => 'made', max: 1);
$held = $pool->acquire();
spl_autoload_register(function (string $class) use ($pool, $held): void {
    echo "$class is looked for\n";
    $pool->release($held);
});
echo $pool->acquire(), "\n";
echo $pool->activeCount(), "\n";
?>
--EXPECT--
Revolt\EventLoop is looked for
made
1
