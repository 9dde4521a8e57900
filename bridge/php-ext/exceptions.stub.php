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

class ServiceUnavailableException extends AsyncException
{
}

class AsyncCancellation extends \Error
{
}
