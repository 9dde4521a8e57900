--TEST--
readable(): coroutines and the main flow wait for data, a connection, the end; others run meanwhile (P88)
--FILE--
<?php

require __DIR__ . '/streams.inc';

use function Async\await;
use function Async\readable;
use function Async\spawn;

$path = sys_get_temp_dir() . '/' . bin2hex(random_bytes(8));
$server = stream_socket_server("unix://$path");
stream_set_blocking($server, false);
$serving = spawn(function () use ($server): void {
    var_dump(readable($server));
    $client = stream_socket_accept($server, 0);
    stream_set_blocking($client, false);
    while (readable($client) && ($line = fread($client, 100)) !== '') {
        echo "asked $line\n";
        fwrite($client, strtoupper($line));
    }
    echo "hung up\n";
});
$asking = spawn(function () use ($path): string {
    echo "nobody has connected\n";
    $socket = stream_socket_client("unix://$path");
    unlink($path);
    foreach (['one', 'two'] as $word) {
        fwrite($socket, $word);
        readable($socket);
        echo 'answered ', fread($socket, 100), "\n";
    }
    return 'asked all';
});
echo await($asking), "\n";
await($serving);

[$mine, $theirs] = connection();
spawn(fn () => fwrite($theirs, 'for the main flow'));
var_dump(readable($mine), fread($mine, 100));
?>
--EXPECT--
nobody has connected
bool(true)
asked one
answered ONE
asked two
answered TWO
asked all
hung up
bool(true)
string(17) "for the main flow"
