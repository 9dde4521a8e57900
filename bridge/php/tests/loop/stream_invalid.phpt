--TEST--
readable(), writable(): what is no open stream, or none that can be waited for, is refused at once (P88)
--FILE--
<?php

require __DIR__ . '/streams.inc';

use function Async\readable;
use function Async\writable;

[$closed] = connection();
fclose($closed);
[$filtered, $itsEnd] = connection();
stream_filter_append($filtered, 'string.toupper', STREAM_FILTER_READ);
set_error_handler(function (int $code, string $text): void {
    echo "the script's error handler was called: $text\n";
});
foreach (['readable' => readable(...), 'writable' => writable(...)] as $name => $wait) {
    echo "$name\n";
    foreach (
        [
            'a string' => 'php://stdin',
            'closed' => $closed,
            'a context' => stream_context_create(),
            'in memory' => fopen('php://memory', 'r+'),
            'a folder' => opendir('.'),
            'filtered' => $filtered,
        ] as $what => $stream
    ) {
        echo "  $what: ", thrown(fn () => $wait($stream)), "\n";
    }
    echo '  a negative time: ', thrown(fn () => $wait($itsEnd, -1)), "\n";
}
var_dump(error_get_last());
try {
    readable($closed);
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
// Files are always ready.
var_dump(readable(fopen(__FILE__, 'r')));
?>
--EXPECT--
readable
  a string: TypeError: Async\readable()
  closed: TypeError: Async\readable()
  a context: TypeError: Async\readable()
  in memory: ValueError: This stream cannot be waited for
  a folder: ValueError: This stream cannot be waited for
  filtered: ValueError: This stream cannot be waited for
  a negative time: ValueError: Async\readable()
writable
  a string: TypeError: Async\writable()
  closed: TypeError: Async\writable()
  a context: TypeError: Async\writable()
  in memory: ValueError: This stream cannot be waited for
  a folder: ValueError: This stream cannot be waited for
  filtered: ValueError: This stream cannot be waited for
  a negative time: ValueError: Async\writable()
NULL
Async\readable(): Argument #1 ($stream) must be an open stream, resource (closed) given
bool(true)
