--TEST--
Another extension: the collector may run while C code borrows or gives back; what it destroys may use the pool, or fail fatally (P26, P34)
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/disturb.inc';

$ran = 0;
for ($left = 0; $left <= 12; $left++) {
    for ($nth = 1, $hooks = $nth; $nth <= $hooks; $nth++) {
        $w = new Watched();
        gc_collect_cycles();
        $hooks = $ended = 0;
        $w->onHook = function () use (&$hooks, &$ended, $nth, $left, $w): void {
            if (++$hooks === $nth) {
                new Leaver(function () use ($w, &$ended): void {
                    $ended++;
                    $w->use();
                });
                almost($left);
            }
        };
        foreach ([false, true] as $refused) {
            $thing = $w->took(FakeDb\borrow($w->pool));
            $thing->refused = $refused;
            $thing->lent = false;
            FakeDb\give($w->pool);
        }
        $w->onHook = null;
        $ran += $ended;
        gc_collect_cycles();
        $w->end();
        foreach (array_keys(Watched::$wrong) as $wrong) {
            echo "the collector at $left more roots after hook $nth: $wrong\n";
        }
        Watched::$wrong = [];
    }
}
echo $ran > 10 ? "it ran\n" : "it ran $ran times only\n";
unset($w, $thing);
echo live(), "\n";

$code = <<<'CODE'
    register_shutdown_function(function () use (&$pool) {
        $pool->close(); // the library has returned, and lets go what was lent
        echo 'shutdown ', counts($pool);
    });
    $held = new stdClass();
    $pool = new Async\Pool(factory: fn() => $held, beforeAcquire: function () {
        gc_collect_cycles();
        new Leaver(fn() => trigger_error('fatal', E_USER_ERROR));
        almost((int) $_SERVER['argv'][1]);
    }, min: 1);
    FakeDb\borrow($pool);
    FakeDb\give($pool);
    gc_collect_cycles();
    CODE;
putenv('ASAN_OPTIONS=' . getenv('ASAN_OPTIONS') . ':detect_leaks=0'); // of a fatal error, what only PHP's allocator frees
$file = __DIR__ . '/fakedb_collected.tmp.php';
file_put_contents($file, "<?php require '" . __DIR__ . "/disturb.inc';\n" . $code);
$seen = [];
for ($left = 0; $left <= 8; $left++) {
    $out = [];
    exec(PHP_BINARY . " -d display_errors=1 -d log_errors=0 -d html_errors=0 $file $left 2>&1", $out, $status);
    $seen["$status: " . preg_replace('/\d/', '*', implode(', ', preg_grep('/^shutdown/', $out)))] = true;
}
unlink($file);
echo implode("\n", array_keys($seen)), "\n";
?>
--EXPECT--
it ran
0
255: shutdown */*/*
