--TEST--
Another extension: exit and fatal errors in PHP code that the library has called go on when it has returned (P34)
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/ext.inc';

$code = <<<'CODE'
    register_shutdown_function(fn() => print("shutdown\n"));
    $end = [
        'exit' => fn() => exit(3),
        'fatal' => fn() => trigger_error('fatal', E_USER_ERROR),
        'throw' => fn() => throw new DomainException('thrown'),
    ][$argv[1]];
    if ($argv[2] === 'min') {
        new Async\Pool(factory: $end, min: 1);
    } elseif ($argv[2] === 'borrow') {
        FakeDb\borrow(new Async\Pool(factory: $end));
    } else {
        $pool = FakeDb\pool(1);
        $held = FakeDb\connect($pool);
        Async\spawn($end);
        if ($argv[2] === 'wait') {
            FakeDb\connect($pool);
        } else {
            $waiting = Async\spawn(fn() => FakeDb\connect($pool));
            Async\await($waiting);
        }
    }
    echo "not reached\n";
    CODE;
putenv('ASAN_OPTIONS=' . getenv('ASAN_OPTIONS') . ':detect_leaks=0'); // of a fatal error, what only PHP's allocator frees
$file = __DIR__ . '/fakedb_fatal.tmp.php';
file_put_contents($file, "<?php require '" . __DIR__ . "/ext.inc';\n" . $code);
foreach (['min', 'borrow', 'wait', 'fiber'] as $where) {
    foreach (['exit', 'fatal', 'throw'] as $way) {
        $out = [];
        $options = '-d display_errors=1 -d log_errors=0 -d html_errors=0';
        exec(PHP_BINARY . " $options $file $way $where 2>&1", $out, $status);
        $kept = preg_grep('/^(PHP )?Fatal error|^shutdown|^not reached/', $out);
        echo "$where $way $status: ", preg_replace('/( of |: Deadlock| in ).*?(?=$|, shutdown)/', '', implode(', ', $kept)), "\n";
    }
}
unlink($file);
?>
--EXPECT--
min exit 3: shutdown
min fatal 255: Fatal error: fatal, shutdown
min throw 255: Fatal error: Uncaught DomainException: thrown, shutdown
borrow exit 3: shutdown
borrow fatal 255: Fatal error: fatal, shutdown
borrow throw 255: Fatal error: Uncaught DomainException: thrown, shutdown
wait exit 3: shutdown
wait fatal 255: Fatal error: fatal, shutdown
wait throw 255: Fatal error: Uncaught Async\DeadlockError, shutdown
fiber exit 3: shutdown
fiber fatal 255: Fatal error: fatal, shutdown
fiber throw 255: Fatal error: Uncaught Async\DeadlockError, shutdown
