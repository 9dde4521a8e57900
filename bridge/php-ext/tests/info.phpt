--TEST--
The extension: phpinfo() says whether the library is loaded, and its ini setting (P30)
--EXTENSIONS--
asyncpool
--INI--
asyncpool.library=/some/file
--FILE--
<?php
$extension = new ReflectionExtension('asyncpool');
$extension->info();
new Async\Pool(factory: fn() => 1);
$extension->info();
?>
--EXPECTF--
asyncpool

asyncpool => %d.%d.%d
the library => %s

Directive => Local Value => Master Value
asyncpool.library => /some/file => /some/file

asyncpool

asyncpool => %d.%d.%d
the library => l%sed

Directive => Local Value => Master Value
asyncpool.library => /some/file => /some/file
