--TEST--
PDO: a driver that cannot say what state a connection is in is refused, before anything connects (B160)
--EXTENSIONS--
pdo_odbc
--FILE--
<?php
require __DIR__ . '/pdo.inc';

use Async\PDO;

$dsn = 'odbc:Driver=no such driver';
foreach ([[], [PDO::ATTR_POOL_MIN => 2], [PDO::ATTR_POOL_ENABLED => true]] as $options) {
    echo thrown(fn () => new PDO($dsn, null, null, $options));
}
echo live(), " pools left\n";
// As the text has it; so it was not the DSN that was refused.
$connects = thrown(fn () => new PDO($dsn, null, null, [PDO::ATTR_POOL_ENABLED => false]));
echo str_contains($connects, 'ATTR_POOL_ENABLED') ? $connects : "it tries to connect\n";
?>
--EXPECT--
PDOException: Driver "odbc" does not support Async\PDO::ATTR_POOL_ENABLED: set it to false
PDOException: Driver "odbc" does not support Async\PDO::ATTR_POOL_ENABLED: set it to false
PDOException: Driver "odbc" does not support Async\PDO::ATTR_POOL_ENABLED: set it to false
0 pools left
it tries to connect
