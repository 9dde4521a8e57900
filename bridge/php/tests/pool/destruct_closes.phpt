--TEST--
Pool: letting the object go closes it, at once (B112, B147, B155)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

function useOne(): void
{
    $pool = new Pool(factory: counter(), destructor: hook('destructor'), min: 2, healthcheckInterval: 1000);
    $pool->release($pool->acquire());
    echo "in function\n";
}

useOne();
echo "after function\n";
echo live(), "\n";
?>
--EXPECT--
factory(1)
factory(2)
in function
destructor(2)
destructor(1)
after function
0
