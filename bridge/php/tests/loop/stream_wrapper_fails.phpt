--TEST--
readable(), writable(): what a wrapper's stream_cast() throws reaches who waits; a descriptor that is closed is no ready one
--FILE--
<?php

require __DIR__ . '/streams.inc';

use function Async\readable;
use function Async\writable;

final class Wrapper
{
    public mixed $context;

    public static Closure $cast;

    public function stream_open(): bool
    {
        return true;
    }

    public function stream_cast(int $as): mixed
    {
        return (self::$cast)();
    }
}

stream_wrapper_register('test', Wrapper::class);
$stream = fopen('test://x', 'r+');
foreach (['readable' => readable(...), 'writable' => writable(...)] as $name => $wait) {
    Wrapper::$cast = fn () => throw new DomainException("$name: no");
    try {
        $wait($stream, 1);
    } catch (Throwable $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
    // Nobody but the wrapper has it, so that it is closed as soon as its descriptor is known.
    Wrapper::$cast = fn () => connection()[0];
    try {
        var_dump($wait($stream, 1));
    } catch (Throwable $error) {
        echo $error::class, ': ', $error->getMessage(), "\n";
    }
}
?>
--EXPECT--
DomainException: readable: no
ValueError: This stream cannot be waited for: its descriptor is closed
DomainException: writable: no
ValueError: This stream cannot be waited for: its descriptor is closed
