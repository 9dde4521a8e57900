--TEST--
writable(): who has filled a stream goes on when somebody has read; a connection is ready when it stands (P88)
--FILE--
<?php

require __DIR__ . '/streams.inc';

use function Async\await;
use function Async\await_all;
use function Async\readable;
use function Async\spawn;
use function Async\writable;

[$mine, $theirs] = connection();
$size = 3_000_000;
$writing = spawn(function () use ($mine, $size): int {
    $left = str_repeat('.', $size);
    for ($times = 0; $left !== ''; $times++) {
        writable($mine);
        $left = substr($left, fwrite($mine, $left));
    }
    fclose($mine);
    return $times;
});
$reading = spawn(function () use ($theirs): int {
    $count = 0;
    while (readable($theirs) && ($data = fread($theirs, 65536)) !== '') {
        $count += strlen($data);
    }
    return $count;
});
[$times, $count] = await_all([$writing, $reading]);
var_dump($times > 1, $count === $size);

$server = stream_socket_server('tcp://127.0.0.1:0');
$socket = stream_socket_client(
    'tcp://' . stream_socket_get_name($server, false),
    flags: STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT,
);
var_dump(writable($socket), stream_socket_get_name($socket, true) === stream_socket_get_name($server, false));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
