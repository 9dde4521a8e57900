<?php

// Sends many requests to a FastCGI server, several at once, and checks what the workers answer.
//
//     client.php SOCKET SCRIPT REQUESTS AT_ONCE native|FFI

declare(strict_types=1);

require __DIR__ . '/fastcgi.php';

[, $socket, $script, $requests, $atOnce, $class] = $argv;

$open = [];
$answers = [];
$seen = ['failed' => 0, 'first' => 0];
$workers = [];
$wrong = [];
for ($next = 0; $next < $requests || $open !== [];) {
    while ($next < $requests && count($open) < $atOnce) {
        $query = ['', 'leave', 'fail', ''][$next % 4];
        $connection = stream_socket_client("unix://$socket", $code, $text, 60);
        fwrite($connection, request($script, $query));
        $open[$next] = $connection;
        $answers[$next++] = '';
    }
    $readable = $open;
    $write = $except = null;
    if (stream_select($readable, $write, $except, 120) === 0) {
        exit("nothing came for two minutes\n");
    }
    foreach ($readable as $number => $connection) {
        $answers[$number] .= fread($connection, 65536);
        if (!feof($connection)) {
            continue;
        }
        unset($open[$number]);
        $text = body($answers[$number]);
        if ($number % 4 === 2) {
            $seen['failed'] += str_contains($text, 'Allowed memory size') ? 1 : 0;
            continue;
        }
        $answer = json_decode($text, true);
        if ($answer === null || !$answer['own'] || $answer['left'] !== 0 || $answer['class'] !== $class
            || $answer['destroyed'] !== $answer['kept']) {
            $wrong[] = $text;
            continue;
        }
        $workers[$answer['worker']] = ($workers[$answer['worker']] ?? 0) + 1;
        $seen['first'] += $answer['first'] ? 1 : 0;
    }
}
foreach (array_slice($wrong, 0, 5) as $text) {
    echo "unexpected: $text\n";
}
$fine = array_sum($workers);
echo "$fine requests served, {$seen['failed']} ended by a fatal error in a callable, by ", count($workers), " workers\n";
$expected = intdiv((int) $requests, 4);
exit($wrong === [] && $fine === 3 * $expected && $seen['failed'] === $expected && count($workers) >= 8 ? 0 : 1);
