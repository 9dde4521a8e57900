<?php

declare(strict_types=1);

namespace Async;

/**
 * PostgreSQL has refused something, or the connection to it is gone.
 */
class PgException extends AsyncException
{
    /**
     * @param string $sqlState five characters: "23505", the key is there already; "08006", the connection is gone
     */
    public function __construct(string $message, public readonly string $sqlState, ?\Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
    }
}
