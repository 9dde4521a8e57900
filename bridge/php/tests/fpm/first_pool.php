<?php

// One request: makes a pool, or says why not.

require __DIR__ . '/../../autoload.php';

try {
    echo (new Async\Pool(fn() => 'lent'))->acquire(), "\n";
} catch (Async\AsyncException $error) {
    echo $error::class, ': ', $error->getMessage(), "\n";
}
