--TEST--
Pool: each resource's object is freed once, when its last user lets it go (B154, B155)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

class Handle
{
    public static int $live = 0;

    public function __construct()
    {
        self::$live++;
    }

    public function __destruct()
    {
        self::$live--;
    }
}

$pool = new Pool(factory: fn() => new Handle(), beforeRelease: fn($r) => !isset($r->broken), min: 3);
var_dump(Handle::$live);
$held = $pool->acquire();
$pool->close();
var_dump(Handle::$live);
$pool->release($held);
var_dump(Handle::$live);
unset($held);
var_dump(Handle::$live);

$pool = new Pool(factory: fn() => new Handle(), max: 1);
$held = $pool->acquire();
unset($pool); // the pool first, its resource after it
var_dump(Handle::$live);
unset($held);
var_dump(Handle::$live);
echo live(), "\n";
?>
--EXPECT--
int(3)
int(1)
int(1)
int(0)
int(1)
int(0)
0
