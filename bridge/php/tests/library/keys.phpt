--TEST--
Each resource is found in one step: arrays by what they hold, equal values by one number, whatever their key is alike (P26)
--FILE--
<?php
require __DIR__ . '/../../autoload.php';

use Async\Internal\Store;

$store = new Store();
$found = fn(mixed $value): array => iterator_to_array($store->find($value), false);
$numbers = [];
for ($i = 0; $i < 20_000; $i++) {
    $numbers[$i] = $store->add(['id' => $i, 'of' => ['object' => $store]]);
}
$wrong = 0;
for ($i = 0; $i < 20_000; $i++) {
    $wrong += (int) ($found(['id' => $i, 'of' => ['object' => $store]]) !== [$numbers[$i]]);
}
echo count($store->numbers), " keys, $wrong not found by theirs\n";

$same = $store->add('same');
var_dump($store->add('same') === $same, $found('same') === [$same]);
var_dump($store->remove($same), $store->remove($same), $store->remove($same), $found('same'));

// What an array holds by reference may change while it is kept.
$n = 1;
$kept = $store->add(['by reference' => &$n]);
$n = 2;
var_dump($found(['by reference' => 1]), $found(['by reference' => 2]) === [$kept]);
$other = $store->add([NAN]);
var_dump($found([NAN]), $store->add([NAN]) !== $other, $store->remove($kept));

// What two arrays hold by the same references stays identical, so they share a number; so does one that holds itself.
$one = ['like' => 'another', 'by reference' => &$n];
$numbers = [$store->add($one), $store->add($one), $store->add(['like' => "another", 'by reference' => &$n])];
$itself = ['like' => 'another'];
$itself['self'] = &$itself;
$twin = ['like' => 'another'];
$twin['self'] = &$twin;
var_dump(count(array_unique($numbers)), $found($one) === [$numbers[0]], $found($twin));
$first = $store->add($itself);
$second = $store->add($twin);
var_dump($found($twin) === [$second], $found($itself) === [$first]);
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
int(1)
bool(true)
array(0) {
}
bool(true)
bool(true)
