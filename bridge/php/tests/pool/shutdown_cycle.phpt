--TEST--
Pool: pools in cycles, and suspended flows that hold resources, at the end of a script (R40, R58, P27)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\suspend;

class Owner
{
    public Pool $pool;
    public ?Owner $self = null;
}

$owner = new Owner();
$owner->self = $owner;
$owner->pool = new Pool(
    factory: fn() => (object) ['owner' => $owner],
    destructor: fn($r) => print("destructor\n"),
    min: 2,
    healthcheck: fn() => true,
    healthcheckInterval: 1,
);
$held = $owner->pool->acquire();
$never = new Pool(factory: counter(), destructor: hook('destructor'), max: 1);
$fiber = new Fiber(function () use ($never): void {
    $resource = $never->acquire();
    try {
        Fiber::suspend();
    } finally {
        $never->release($resource);
        echo "fiber ends\n";
    }
});
$fiber->start();
echo "end\n";
?>
--EXPECT--
factory(1)
end
fiber ends
destructor(1)
destructor
