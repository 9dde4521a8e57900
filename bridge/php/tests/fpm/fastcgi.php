<?php

declare(strict_types=1);

function record(int $type, string $content): string
{
    return pack('CCnnCC', 1, $type, 1, strlen($content), 0, 0) . $content;
}

/** One request, as FastCGI puts it. */
function request(string $script, string $query): string
{
    $parameters = '';
    $all = ['SCRIPT_FILENAME' => $script, 'REQUEST_METHOD' => 'GET', 'QUERY_STRING' => $query, 'CONTENT_LENGTH' => '0'];
    foreach ($all as $name => $value) {
        $parameters .= pack('CN', strlen($name), strlen($value) | 0x80000000) . $name . $value;
    }
    return record(1, pack('nCx5', 1, 0)) . record(4, $parameters) . record(4, '') . record(5, '');
}

/** What the script printed. */
function body(string $answer): string
{
    $output = '';
    for ($at = 0; $at + 8 <= strlen($answer); $at += 8 + $length + $padding) {
        ['type' => $type, 'length' => $length, 'padding' => $padding] = unpack('Cv/Ctype/nid/nlength/Cpadding', $answer, $at);
        $output .= $type === 6 ? substr($answer, $at + 8, $length) : '';
    }
    return explode("\r\n\r\n", $output, 2)[1] ?? '';
}
