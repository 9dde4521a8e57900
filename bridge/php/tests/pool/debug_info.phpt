--TEST--
Pool: var_dump() shows the counts and whether it is closed, and no hooks (B13)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$pool = new Pool(factory: fn() => 1, min: 2);
$held = $pool->acquire();
echo json_encode($pool->__debugInfo()), "\n";
var_dump($pool);
$pool->release($held);
$pool->close();
echo json_encode($pool->__debugInfo()), "\n";
$pool->__destruct();
echo json_encode($pool->__debugInfo()), "\n";
?>
--EXPECTF--
{"idle":1,"active":1,"closed":false}
object(Async\Pool)#%d (3) {
  ["idle"]=>
  int(1)
  ["active"]=>
  int(1)
  ["closed"]=>
  bool(false)
}
{"idle":0,"active":0,"closed":true}
{"idle":0,"active":0,"closed":true}
