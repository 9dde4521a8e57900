--TEST--
Pool: what destroys a resource, a hook or a strategy at the end of a script may exit, throw or fail (E5)
--FILE--
<?php
require __DIR__ . '/pool.inc';

$code = <<<'CODE'
    class Ends implements Async\CircuitBreakerStrategy {
        public function __construct(private string $how) {}
        public function __invoke(): object { return new stdClass(); }
        public function reportSuccess(mixed $source): void {}
        public function reportFailure(mixed $source, Throwable $error): void {}
        public function __destruct() {
            echo "$this->how, ";
            match ($this->how) { 'exit' => exit(3), 'exception' => throw new DomainException(), 'error' => nobody() };
        }
    }
    $how = $argv[2];
    $pool = new Async\Pool($argv[1] === 'hook' ? new Ends($how) : fn() => new ($argv[1] === 'resource' ? 'Ends' : 'ArrayObject')(...$argv[1] === 'resource' ? [$how] : []));
    $argv[1] === 'strategy' && $pool->setCircuitBreakerStrategy(new Ends($how));
    $pool->acquire();
    CODE;
$file = __DIR__ . '/ends_with_values.tmp.php';
file_put_contents($file, "<?php require '" . __DIR__ . "/pool.inc';\n" . $code);
foreach (['resource', 'hook', 'strategy'] as $what) {
    foreach (['exit', 'exception', 'error'] as $how) {
        $out = [];
        exec(implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, $file, $what, $how])) . ' 2>/dev/null', $out, $status);
        echo "$what: ", strtok(implode(' ', $out), ','), ", $status\n";
    }
}
unlink($file);
?>
--EXPECT--
resource: exit, 3
resource: exception, 255
resource: error, 255
hook: exit, 3
hook: exception, 255
hook: error, 255
strategy: exit, 3
strategy: exception, 255
strategy: error, 255
