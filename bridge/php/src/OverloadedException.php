<?php

declare(strict_types=1);

namespace Async;

/**
 * As many stand in line for a resource as may: the pool's maxWaiting.
 */
class OverloadedException extends PoolException
{
}
