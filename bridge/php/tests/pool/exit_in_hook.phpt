--TEST--
Pool: exit in any hook ends the script as in plain PHP, the rest is destroyed (E5, P27)
--FILE--
<?php
require __DIR__ . '/pool.inc';

$code = <<<'CODE'
    $leave = function () { echo "exit\n"; exit(3); };
    $hooks = [$argv[1] => $leave] + ['factory' => counter(), 'destructor' => hook('destructor')];
    if ($argv[1] === 'report') {
        unset($hooks['report']);
    }
    if ($argv[1] === 'destructor') {
        $hooks['beforeRelease'] = fn() => false;
    }
    $pool = new Async\Pool(...$hooks, min: $argv[1] === 'factory' ? 0 : 2, max: 2, healthcheckInterval: 1);
    $argv[1] === 'report' && $pool->setCircuitBreakerStrategy(teller($leave));
    register_shutdown_function(fn() => print('shutdown ' . counts($pool)));
    try {
        $work = fn() => $pool->release($pool->acquire());
        $argv[2] === 'fiber' ? Async\await(Async\spawn($work)) : $work();
        Async\delay(1000);
    } finally {
        echo "not reached\n";
    }
    CODE;
$file = __DIR__ . '/exit_in_hook.tmp.php';
file_put_contents($file, "<?php require '" . __DIR__ . "/pool.inc';\n" . $code);
foreach (['factory', 'beforeAcquire', 'beforeRelease', 'destructor', 'report', 'healthcheck'] as $hook) {
    $out = [];
    foreach (['main', 'fiber'] as $flow) {
        exec(PHP_BINARY . " $file $hook $flow 2>&1", $out[$flow], $status);
    }
    echo "$hook $status: ", implode(' ', array_diff($out['main'], ['factory(1)', 'factory(2)'])), "\n";
    var_dump($out['main'] === $out['fiber']);
}
unlink($file);
?>
--EXPECT--
factory 3: exit shutdown 0/1/1
bool(true)
beforeAcquire 3: exit shutdown 1/1/2 destructor(1) destructor(2)
bool(true)
beforeRelease 3: exit shutdown 1/1/2 destructor(1) destructor(2)
bool(true)
destructor 3: exit shutdown 1/1/2 exit
bool(true)
report 3: success exit shutdown 1/1/2 destructor(2) destructor(1)
bool(true)
healthcheck 3: exit shutdown 1/1/2 destructor(2) destructor(1)
bool(true)
