--TEST--
Pool: exit and exceptions of a resource's own __destruct(), after those of the destructor hook (P27)
--FILE--
<?php
require __DIR__ . '/pool.inc';

$code = <<<'CODE'
    final class Connection
    {
        public function __construct(private string $end)
        {
        }

        public function __destruct()
        {
            echo "__destruct\n";
            $this->end === 'exit' ? exit(4) : throw new RuntimeException('of the value');
        }
    }
    register_shutdown_function(fn() => print("shutdown\n"));
    $pool = new Async\Pool(
        factory: fn() => new Connection($argv[2]),
        destructor: fn() => $argv[1] === 'exit' ? exit(3) : throw new DomainException('of the hook'),
        min: 1,
    );
    echo thrown(fn() => $pool->close());
    CODE;
$file = __DIR__ . '/exit_in_value.tmp.php';
file_put_contents($file, "<?php require '" . __DIR__ . "/pool.inc';\n" . $code);
foreach (['throw throw', 'throw exit', 'exit exit'] as $ways) {
    $out = [];
    exec(PHP_BINARY . " $file $ways 2>&1", $out, $status);
    echo "$ways $status: ", implode(' ', $out), "\n";
}
unlink($file);
?>
--EXPECT--
throw throw 0: __destruct RuntimeException: of the value < DomainException: of the hook shutdown
throw exit 4: __destruct shutdown
exit exit 4: __destruct shutdown
