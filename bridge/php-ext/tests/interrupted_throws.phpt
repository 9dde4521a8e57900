--TEST--
A signal handler may throw at any place of anything that the pool does: nothing is lost (P26)
--EXTENSIONS--
fakedb
--ENV--
FAKEDB_INTERRUPT=1
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/disturb.inc';

use Async\Pool;

$thrown = 0;
foreach (deeds() as $name => [$prepare, $do]) {
    for ($n = 1, $passed = $n; $n <= $passed; $n++) {
        $w = new Watched();
        $prepared = $prepare($w);
        FakeDb\interrupt($n, function () use (&$thrown): void {
            // Not where PHP itself loses something: behind a call of acquire(), and within a factory.
            $classes = array_intersect(array_column(debug_backtrace(), 'class'), [Pool::class, Watched::class]);
            if (reset($classes) === Pool::class) {
                $thrown++;
                throw new DomainException('of the handler');
            }
        });
        try {
            $do($w, $prepared);
        } catch (DomainException $error) {
            Watched::check($error->getMessage() === 'of the handler', $error->getMessage());
        }
        $passed = FakeDb\interrupts();
        $w->throws = false;
        foreach (is_array($prepared) ? $prepared : [$prepared] as $thing) {
            $thing?->lent && $w->give($thing);
        }
        Async\delay(0);
        $w->end();
        $prepared = null;
        foreach (array_keys(Watched::$wrong) as $wrong) {
            echo "$name, a handler at place $n throws: $wrong\n";
        }
        Watched::$wrong = [];
    }
}
echo $thrown > 50 ? "thrown\n" : "thrown $thrown times only\n";
unset($w);
echo live(), "\n";
?>
--EXPECT--
thrown
0
