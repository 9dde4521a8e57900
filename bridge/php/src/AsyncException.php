<?php

declare(strict_types=1);

namespace Async;

/**
 * What this package throws, but for errors of the caller and cancellations.
 */
class AsyncException extends \Exception
{
}
