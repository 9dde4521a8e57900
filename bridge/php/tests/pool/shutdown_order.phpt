--TEST--
Pool: at the end of a script pools close themselves, in whatever order they go (R38, P27)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

$resources = new Pool(factory: counter(), destructor: hook('inner'), min: 2);
$users = new Pool(
    factory: fn() => $resources->acquire(),
    destructor: function ($r) use ($resources): void {
        echo "outer($r)\n";
        $resources->release($r);
    },
    min: 1,
);
register_shutdown_function(function () use ($users): void {
    echo 'shutdown ', counts($users);
});
echo "end\n";
?>
--EXPECT--
factory(1)
factory(2)
end
shutdown 1/0/1
inner(2)
outer(1)
inner(1)
