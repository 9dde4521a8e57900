--TEST--
Pool: only the boolean false refuses (B66)
--FILE--
<?php
require __DIR__ . '/pool.inc';

use Async\Pool;
use function Async\delay;

foreach ([null, 0, '', '0', [], 0.0] as $answer) {
    $checked = 0;
    $pool = new Pool(
        factory: counter(),
        destructor: hook('destructor'),
        healthcheck: function () use ($answer, &$checked) {
            $checked++;

            return $answer;
        },
        beforeAcquire: fn() => $answer,
        beforeRelease: fn() => $answer,
        min: 1,
        healthcheckInterval: 1,
    );
    $pool->release($pool->acquire());
    while ($checked === 0) {
        delay(1);
    }
    echo counts($pool);
    $pool->close();
}
?>
--EXPECT--
factory(1)
1/0/1
destructor(1)
factory(1)
1/0/1
destructor(1)
factory(1)
1/0/1
destructor(1)
factory(1)
1/0/1
destructor(1)
factory(1)
1/0/1
destructor(1)
factory(1)
1/0/1
destructor(1)
