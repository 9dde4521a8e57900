--TEST--
A coroutine that waits for a stream keeps the script alive (P27, P88)
--FILE--
<?php

require __DIR__ . '/streams.inc';

use function Async\delay;
use function Async\readable;
use function Async\spawn;

[$mine, $theirs] = connection();
spawn(function () use ($mine): void {
    readable($mine);
    echo 'read ', fread($mine, 10), "\n";
});
spawn(function () use ($theirs): void {
    delay(1);
    fwrite($theirs, 'at the end');
});
echo "the script ends\n";
?>
--EXPECT--
the script ends
read at the end
