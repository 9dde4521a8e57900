<?php

// Prints what a FastCGI server answers to one request.
//
//     one_request.php SOCKET SCRIPT

declare(strict_types=1);

require __DIR__ . '/fastcgi.php';

[, $socket, $script] = $argv;
$connection = stream_socket_client("unix://$socket", $code, $text, 60);
fwrite($connection, request($script, ''));
echo body(stream_get_contents($connection));
