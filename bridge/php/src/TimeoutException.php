<?php

declare(strict_types=1);

namespace Async;

/**
 * No resource became free within the timeout of {@see Pool::acquire()}.
 */
class TimeoutException extends PoolException
{
}
