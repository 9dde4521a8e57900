--TEST--
await_all(), await_any(): in a deadlock those are told that they wait for; in a circle, one of it (P25, P89)
--FILE--
<?php

require __DIR__ . '/loop.inc';

use Async\AsyncException;
use Async\DeadlockError;
use Async\Pool;

use function Async\await;
use function Async\await_all;
use function Async\await_any;
use function Async\spawn;

$pool = new Pool(factory: fn () => 'the only one', max: 1);
$held = $pool->acquire();
$acquire = function (string $name) use ($pool): string {
    try {
        return $pool->acquire();
    } catch (DeadlockError) {
        return "$name was told";
    }
};
echo implode(', ', await_all([spawn($acquire, 'first'), spawn($acquire, 'second')])), "\n";
echo await_any([spawn($acquire, 'one'), spawn($acquire, 'another')]), "\n";
try {
    await_any([spawn($pool->acquire(...)), spawn($pool->acquire(...))]);
} catch (AsyncException $error) {
    echo $error->getPrevious()::class, "\n";
}

foreach ([await_all(...), await_any(...)] as $wait) {
    $circle = spawn(function () use ($wait, &$other): string {
        try {
            $wait([$other]);
        } catch (DeadlockError | AsyncException $error) {
            return get_debug_type($error->getPrevious() ?? $error);
        }
        return 'not told';
    });
    $other = spawn(fn () => $wait([$circle]));
    echo await($circle), "\n";
}
?>
--EXPECT--
first was told, second was told
one was told
Async\DeadlockError
Async\DeadlockError
Async\DeadlockError
