--TEST--
A signal handler that uses the pool, or destructs it, may come at any place of anything that the pool does (P26)
--EXTENSIONS--
fakedb
--ENV--
FAKEDB_INTERRUPT=1
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/disturb.inc';

$handlers = [
    'uses it' => fn(Watched $w) => $w->use(),
    'destructs it' => fn(Watched $w) => $w->pool->__destruct(),
];
foreach ($handlers as $does => $handler) {
    Watched::$destructs = $does === 'destructs it';
    foreach (deeds() as $name => [$prepare, $do]) {
        for ($n = 1, $passed = $n; $n <= $passed; $n++) {
            $w = new Watched();
            $prepared = $prepare($w);
            FakeDb\interrupt($n, fn() => $handler($w));
            $do($w, $prepared);
            $passed = FakeDb\interrupts();
            foreach (is_array($prepared) ? $prepared : [] as $thing) {
                $thing->lent && $w->give($thing);
            }
            $w->end();
            $prepared = null;
            foreach (array_keys(Watched::$wrong) as $wrong) {
                echo "$name, a handler at place $n $does: $wrong\n";
            }
            Watched::$wrong = [];
        }
        $n > 10 || print("only $n places\n");
    }
}
unset($w, $handlers, $handler);
echo live(), "\n";
?>
--EXPECT--
0
