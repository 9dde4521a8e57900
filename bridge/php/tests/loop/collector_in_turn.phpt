--TEST--
Wherever the collector comes while coroutines take turns, whoever is resumed by what it destroys goes on (P26)
--FILE--
<?php

require __DIR__ . '/../pool/disturb.inc';

use function Async\await;
use function Async\spawn;
use function Async\suspend;

$places = 0;
for ($k = 1, $beyond = 0; $beyond < 3; $k++) {
    $wait = null;
    $parked = spawn(function () use (&$wait): void {
        park($wait);
    });
    suspend();
    $came = by_collector($k, fn () => loop()->resume($wait), function (): void {
        $turns = [];
        for ($i = 0; $i < 3; $i++) {
            $turns[] = spawn(function (): void {
                suspend();
                suspend();
            });
        }
        foreach ($turns as $turn) {
            await($turn);
        }
    });
    if (!$came) {
        loop()->resume($wait);
    }
    await($parked);
    $places += (int) $came;
    $beyond = $came ? 0 : $beyond + 1;
}
echo $places > 0 ? 'done' : 'was never disturbed', "\n";
?>
--EXPECT--
done
