<?php

/** @generate-function-entries */

namespace Async;

function spawn(callable $task, mixed ...$arguments): Coroutine
{
}

function await(Coroutine $coroutine): mixed
{
}

function await_all(iterable $coroutines): array
{
}

function await_any(iterable $coroutines): mixed
{
}

/** @param resource $stream */
function readable($stream, int $timeout = 0): bool
{
}

/** @param resource $stream */
function writable($stream, int $timeout = 0): bool
{
}

function delay(int $ms): void
{
}

function suspend(): void
{
}

function current_coroutine(): Coroutine
{
}
