--TEST--
A package that a preload script has required, or compiled, is the package: autoload.php adds what is missing (P26)
--SKIPIF--
<?php
if (extension_loaded('asyncpool')) die('skip it is about the package alone');
if (!extension_loaded('Zend OPcache')) die('skip without opcache');
?>
--FILE--
<?php
$autoload = realpath(__DIR__ . '/../../autoload.php');
$preloads = [
    'required' => "require '$autoload'; class_exists(Async\\Pool::class);",
    'compiled' => "foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator('" . dirname($autoload)
        . "/src')) as \$file) { str_ends_with(\$file, '.php') && opcache_compile_file(\$file); }",
    'one function' => "opcache_compile_file('" . dirname($autoload) . "/src/functions.php');",
];
$script = __DIR__ . '/preloaded.tmp.php';
$preload = __DIR__ . '/preloaded.tmp.inc';
file_put_contents($script, "<?php require '$autoload'; require '$autoload';
    \$pool = new Async\\Pool(fn() => 'works', max: 1);
    echo Async\\await(Async\\spawn(fn() => \$pool->acquire()));");
foreach ($preloads as $how => $code) {
    file_put_contents($preload, "<?php $code");
    $settings = ['opcache.enable_cli=1', "opcache.preload=$preload", 'opcache.preload_user=' . get_current_user()];
    $command = implode(' -d ', [escapeshellarg(PHP_BINARY), ...array_map(escapeshellarg(...), $settings)]);
    echo "$how: ", shell_exec("$command " . escapeshellarg($script) . ' 2>&1'), "\n";
}
unlink($script);
unlink($preload);
?>
--EXPECT--
required: works
compiled: works
one function: works
