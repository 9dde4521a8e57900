--TEST--
Two thousand streams: their coroutines are served, or told that select() has a limit, and what helps (P88)
--SKIPIF--
<?php
require __DIR__ . '/streams_many.inc';
if (!many_files()) die('skip no more files may be open: ulimit -n');
?>
--FILE--
<?php

require __DIR__ . '/streams.inc';
require __DIR__ . '/streams_many.inc';

use Async\AsyncException;

use function Async\await_all;
use function Async\readable;
use function Async\spawn;

many_files();
$mine = $ends = $all = $refused = [];
for ($i = 0; $i < 2000; $i++) {
    [$mine[$i], $ends[]] = connection();
    $all[] = spawn(function () use ($i, $mine, &$refused): int {
        try {
            return (int) readable($mine[$i]);
        } catch (AsyncException $error) {
            $refused[] = $error->getMessage();
            return 0;
        }
    });
}
Async\suspend();
array_map(fn ($end) => fwrite($end, '.'), $ends);
$served = array_sum(await_all($all));
var_dump($served + count($refused), $served >= 400);
$texts = array_unique($refused);
var_dump(count($texts) <= 1);
foreach (['FD_SETSIZE', (string) PHP_FD_SETSIZE, 'Revolt', 'ev', 'uv', 'asyncpool'] as $word) {
    $texts === [] || str_contains($texts[0], $word) || print("it does not speak of $word\n");
}
?>
--EXPECT--
int(2000)
bool(true)
bool(true)
