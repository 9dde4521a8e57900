<?php

declare(strict_types=1);

namespace Async;

/**
 * Nothing can run any more that could end this wait. The message says what else waited, and where.
 */
class DeadlockError extends \Error
{
}
