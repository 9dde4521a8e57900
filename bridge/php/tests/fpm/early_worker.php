<?php

// One request to a worker whose master has loaded the library.

require __DIR__ . '/../../autoload.php';

try {
    echo (new Async\Pool(fn() => 'lent'))->acquire(), "\n";
} catch (Async\AsyncException $error) {
    echo $error::class, ': ', $error->getMessage(), "\n";
}
