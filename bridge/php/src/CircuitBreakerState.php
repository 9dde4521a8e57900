<?php

declare(strict_types=1);

namespace Async;

/**
 * The service behind a pool: answering, given up, or on probation.
 */
enum CircuitBreakerState
{
    /** Everything works, resources are lent. */
    case ACTIVE;

    /** The service is unavailable: acquire() throws a ServiceUnavailableException at once. */
    case INACTIVE;

    /** On probation: a few resources are lent, as probes. */
    case RECOVERING;
}
