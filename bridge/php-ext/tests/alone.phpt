--TEST--
The extension alone, without the package: pool, coroutines, exceptions; beside it autoload.php defines nothing twice (P30)
--FILE--
<?php
use Async\Pool;
use function Async\await;
use function Async\delay;
use function Async\spawn;

$pool = new Pool(factory: fn() => 'made', max: 1);
$held = $pool->acquire();
$waiting = spawn(fn(): string => $pool->acquire() . ' before');
spawn(function () use ($pool, $held): void {
    delay(1);
    $pool->release($held);
});
echo await($waiting), "\n";
try {
    $pool->acquire();
} catch (Async\DeadlockError $error) {
    echo strtok($error->getMessage(), "\n"), "\n";
}

/** What the namespace Async has, from wherever. */
function names(): array
{
    $all = [...get_declared_classes(), ...get_declared_interfaces(), ...get_defined_functions()['internal'],
        ...get_defined_functions()['user']];

    return array_filter($all, fn(string $name): bool => str_starts_with(strtolower($name), 'async\\'));
}
$before = names();
require __DIR__ . '/../../php/autoload.php';
require __DIR__ . '/../../php/autoload.php';
echo implode(' ', array_diff(names(), $before)), "\n";

// All that the package has for everybody is here, but for what is PHP on either binding.
$package = array_map(fn(string $file): string => 'Async\\' . basename($file, '.php'), glob(__DIR__ . '/../../php/src/*.php'));
$missing = array_filter($package, fn(string $class): bool => !in_array($class, $before, true));
$php = ['Async\functions', 'Async\BudgetInfo', 'Async\RedisBudget', 'Async\PDO', 'Async\PDOStatement', 'Async\PgConnection', 'Async\PgException'];
echo implode(' ', array_diff($missing, $php)), "\n";
preg_match_all('/^function (\w+)\(/m', file_get_contents(__DIR__ . '/../../php/src/functions.php'), $functions);
foreach ($functions[1] as $function) {
    $ours = (new ReflectionFunction("Async\\$function"));
    $ours->isInternal() || print("$function is not the extension's\n");
}
?>
--EXPECT--
made before
Deadlock: nothing can run any more that could end this wait
Async\Internal\Autoload

