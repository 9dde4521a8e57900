<?php

/** @generate-class-entries */

namespace Async;

class AsyncException extends \Exception
{
}

class PoolException extends AsyncException
{
}

class TimeoutException extends PoolException
{
}

class OverloadedException extends PoolException
{
}

class TryLater extends PoolException
{
    public readonly int $ms;

    public function __construct(int $ms, string $message = "", ?\Throwable $previous = null) {}
}

class ServiceUnavailableException extends AsyncException
{
}

class AsyncCancellation extends \Error
{
}

class DeadlockError extends \Error
{
}
