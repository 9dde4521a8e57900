<?php

declare(strict_types=1);

namespace Async;

/**
 * The circuit breaker is open, or its probes are out: the service behind the pool is given up for now.
 */
class ServiceUnavailableException extends AsyncException
{
}
