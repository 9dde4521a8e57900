--TEST--
Pool: cycles through any hook, the strategy or an idle resource are collected (B149 to B151)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;

class Owner
{
    public Pool $pool;
    public mixed $idle;

    public function hook(): bool
    {
        return true;
    }

    public function __destruct()
    {
        echo "owner gone\n";
    }
}

foreach (['factory', 'destructor', 'healthcheck', 'beforeAcquire', 'beforeRelease'] as $name) {
    $owner = new Owner();
    $hooks = [$name => $owner->hook(...)] + ['factory' => fn() => new stdClass()];
    $owner->pool = new Pool(...$hooks, min: 1, healthcheckInterval: 1);
    unset($owner, $hooks);
    echo "$name " . live() . "\n";
}
$owner = new Owner();
$owner->pool = new Pool(factory: fn() => new stdClass());
$owner->pool->setCircuitBreakerStrategy(teller($owner->hook(...)));
unset($owner);
echo 'strategy ' . live() . "\n";

$owner = new Owner();
$owner->pool = new Pool(factory: fn() => (object) ['owner' => null], min: 1);
$idle = $owner->pool->acquire();
$idle->owner = $owner;
$owner->pool->release($idle);
unset($owner, $idle);
echo 'resource ' . live() . "\n";
?>
--EXPECT--
owner gone
factory 0
owner gone
destructor 0
owner gone
healthcheck 0
owner gone
beforeAcquire 0
owner gone
beforeRelease 0
owner gone
strategy 0
owner gone
resource 0
