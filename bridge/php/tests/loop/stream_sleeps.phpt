--TEST--
Who waits for streams sleeps: they are looked at when something happens, not all the time (P88)
--FILE--
<?php

require __DIR__ . '/streams.inc';

use function Async\await;
use function Async\delay;
use function Async\readable;
use function Async\spawn;

/** A stream of a script's own; it counts who asks for its descriptor. */
final class Counting
{
    public static $socket;
    public static int $asked = 0;
    public $context;

    public function stream_open(): bool
    {
        return true;
    }

    public function stream_eof(): bool
    {
        return false;
    }

    public function stream_cast(int $as)
    {
        self::$asked++;
        return self::$socket;
    }
}

stream_wrapper_register('counting', Counting::class);
[Counting::$socket, $theirs] = connection();
$stream = fopen('counting://', 'r');
$reading = spawn(fn () => readable($stream));
delay(30);
$before = Counting::$asked;
delay(30); // two events: it begins, and its time comes
var_dump(Counting::$asked - $before <= 6);
fwrite($theirs, '.');
var_dump(await($reading));
?>
--EXPECT--
bool(true)
bool(true)
