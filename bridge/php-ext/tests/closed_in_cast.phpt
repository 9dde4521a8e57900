--TEST--
A stream whose wrapper closes it when it is asked for its descriptor
--FILE--
<?php

require __DIR__ . '/ext.inc';

use function Async\readable;

final class Closing
{
    public static $stream;
    public $context;

    public function stream_open(): bool
    {
        return true;
    }

    public function stream_cast(int $as)
    {
        fclose(self::$stream);
        return false;
    }
}

stream_wrapper_register('closing', Closing::class);
Closing::$stream = fopen('closing://', 'r');
try {
    readable(Closing::$stream);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
This stream cannot be waited for: Cannot represent a stream of type user-space as a select()able descriptor
