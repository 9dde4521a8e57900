--TEST--
The extension: what is due is asked of the pool that an operation was about, and of no other
--SKIPIF--
<?php if (shell_exec('command -v gcc') === null) die('skip needs gcc'); ?>
--FILE--
<?php
require __DIR__ . '/ext.inc';

use Async\Pool;
use function Async\await;
use function Async\spawn;

// A library in front of the real one, which notes of which pools that is asked.
$folder = __DIR__ . '/makers_asked';
$library = getenv('ASYNCPOOL_LIBRARY');
mkdir($folder);
file_put_contents("$folder/noting.c", <<<'C'
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <stdio.h>
    #include <stdlib.h>

    unsigned pool_creations_due(const void *pool)
    {
        unsigned (*real)(const void *) = (unsigned (*)(const void *))dlsym(RTLD_NEXT, "pool_creations_due");
        FILE *file = fopen(getenv("ASKED"), "a");
        fprintf(file, "%p\n", pool);
        fclose(file);
        return real(pool);
    }
    C);
system(sprintf(
    'gcc -shared -fPIC -o %1$s/libnoting.so %1$s/noting.c -Wl,--no-as-needed,-rpath,%3$s %2$s',
    escapeshellarg($folder),
    escapeshellarg($library),
    escapeshellarg(dirname($library)),
));
putenv("ASYNCPOOL_LIBRARY=$folder/libnoting.so");
putenv("ASKED=$folder/asked");

/** @return array<string, int> how often each pool was asked while this ran */
function asked(Closure $body): array
{
    file_put_contents(getenv('ASKED'), '');
    $body();

    return array_count_values(file(getenv('ASKED'), FILE_IGNORE_NEW_LINES));
}

$cycle = function (Pool $pool): void {
    $pool->release($pool->acquire());
};
$plain = new Pool(factory: fn() => new stdClass(), max: 1);
[$one, $two, $three] = array_map(
    fn() => new Pool(factory: fn() => new stdClass(), max: 1, createBehind: true),
    range(1, 3),
);
foreach ([$plain, $one, $two] as $pool) {
    await(spawn(fn() => $cycle($pool))); // makes its resource
}
var_dump(asked(fn() => $cycle($plain)));
$of = [asked(fn() => $cycle($one)), asked(fn() => $cycle($two)), asked(fn() => await(spawn(fn() => $cycle($three))))];
var_dump(array_map(fn(array $pools): int => count($pools), $of));
var_dump(count(array_merge(...$of)));
var_dump($of[0]); // one release
?>
--CLEAN--
<?php
array_map(unlink(...), glob(__DIR__ . '/makers_asked/*'));
rmdir(__DIR__ . '/makers_asked');
?>
--EXPECTF--
array(0) {
}
array(3) {
  [0]=>
  int(1)
  [1]=>
  int(1)
  [2]=>
  int(1)
}
int(3)
array(1) {
  ["0x%x"]=>
  int(1)
}
