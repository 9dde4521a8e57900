--TEST--
The extension: who is served while its first wait still looks for the loop does not wait (P30)
--FILE--
<?php
use Async\Pool;

$pool = new Pool(factory: fn() => 'made', max: 1);
$held = $pool->acquire();
spl_autoload_register(function (string $class) use ($pool, $held): void {
    if ($class === 'Async\Internal\Runtime') {
        echo "the loop is looked for\n";
        $pool->release($held);
        require __DIR__ . '/../../php/autoload.php'; // it loads the class
    }
});
echo $pool->acquire(), "\n";
echo $pool->activeCount(), "\n";
?>
--EXPECT--
the loop is looked for
made
1
