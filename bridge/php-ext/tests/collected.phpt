--TEST--
The collector of cycles may run at any place of anything that the pool does, and what it destroys may use the pool (P26)
--EXTENSIONS--
fakedb
--FILE--
<?php
require __DIR__ . '/disturb.inc';

$ran = 0;
foreach (deeds() as $name => [$prepare, $do]) {
    for ($nth = 1, $hooks = $nth; $nth <= $hooks; $nth++) {
        for ($left = 0; $left <= 12; $left++) {
            $w = new Watched(max: 3);
            $prepared = $prepare($w);
            gc_collect_cycles();
            $hooks = 0;
            $ended = 0;
            $w->onHook = function () use (&$hooks, &$ended, $nth, $left, $w): void {
                if (++$hooks === $nth) {
                    new Leaver(function () use ($w, &$ended): void {
                        $ended++;
                        $w->pool && $w->use();
                    });
                    almost($left);
                }
            };
            $runs = gc_status()['runs'];
            $do($w, $prepared);
            $w->onHook = null;
            $ran += $ended;
            foreach (is_array($prepared) ? $prepared : [] as $thing) {
                $thing->lent && $w->give($thing);
            }
            gc_collect_cycles();
            $w->end();
            $prepared = null;
            foreach (array_keys(Watched::$wrong) as $wrong) {
                echo "$name, the collector at $left more roots after hook $nth: $wrong\n";
            }
            Watched::$wrong = [];
        }
    }
}
echo $ran > 100 ? "it ran\n" : "it ran $ran times only\n";
unset($w);
echo live(), "\n";
?>
--EXPECT--
it ran
0
