--TEST--
Each resource is found in one step: arrays by what they hold, equal values by one number, whatever their key is alike
--FILE--
<?php
require __DIR__ . '/../../autoload.php';

use Async\Internal\Store;

$store = new Store();
$numbers = [];
for ($i = 0; $i < 20_000; $i++) {
    $numbers[$i] = $store->add(['id' => $i, 'of' => ['object' => $store]]);
}
$wrong = 0;
for ($i = 0; $i < 20_000; $i++) {
    $wrong += (int) ($store->find(['id' => $i, 'of' => ['object' => $store]]) !== [$numbers[$i]]);
}
echo count($store->numbers), " keys, $wrong not found by theirs\n";

$same = $store->add('same');
var_dump($store->add('same') === $same, $store->find('same') === [$same]);
var_dump($store->remove($same), $store->remove($same), $store->remove($same), $store->find('same'));

// What an array holds by reference may change while it is kept.
$n = 1;
$kept = $store->add(['by reference' => &$n]);
$n = 2;
var_dump($store->find(['by reference' => 1]), $store->find(['by reference' => 2]) === [$kept]);
$other = $store->add([NAN]);
var_dump($store->find([NAN]), $store->add([NAN]) !== $other, $store->remove($kept));
?>
--EXPECT--
20000 keys, 0 not found by theirs
bool(true)
bool(true)
string(4) "same"
string(4) "same"
NULL
array(0) {
}
array(0) {
}
bool(true)
array(0) {
}
bool(true)
array(1) {
  ["by reference"]=>
  &int(2)
}
