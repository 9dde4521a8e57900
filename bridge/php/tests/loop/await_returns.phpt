--TEST--
await(): the result, at once when it is there, to everybody who asks (P24)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use function Async\await;
use function Async\delay;
use function Async\spawn;

$answer = spawn(function (): int {
    delay(5);
    echo "computed\n";
    return 42;
});
$others = [];
for ($i = 0; $i < 3; $i++) {
    $others[] = spawn(fn (): int => await($answer) + $i);
}

var_dump(await($answer), $answer->getResult(), $answer->isCompleted());
var_dump(array_map(Async\await(...), $others));
var_dump(await($answer));
?>
--EXPECT--
computed
int(42)
int(42)
bool(true)
array(3) {
  [0]=>
  int(42)
  [1]=>
  int(43)
  [2]=>
  int(44)
}
int(42)
