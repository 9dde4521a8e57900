--TEST--
The extension: a callable that is deprecated is told of once; a handler that throws then leaves no pool behind (P33)
--FILE--
<?php
require __DIR__ . '/ext.inc';

use Async\Pool;

class Maker
{
    public static function make(): string
    {
        return 'made';
    }

    public static function pool(): Pool
    {
        return new Pool(factory: fn() => 1, destructor: 'self::make');
    }
}
set_error_handler(fn(int $level, string $text) => print("$text\n"));
Maker::pool();
set_error_handler(fn(int $level, string $text) => throw new ErrorException($text));
echo thrown(fn() => Maker::pool());
echo live(), "\n";
?>
--EXPECT--
Use of "self" in callables is deprecated
ErrorException: Use of "self" in callables is deprecated
0
