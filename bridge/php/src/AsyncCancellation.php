<?php

declare(strict_types=1);

namespace Async;

/**
 * The wait of a coroutine was ended by {@see Coroutine::cancel()}.
 *
 * An \Error, so that a catch of \Exception does not swallow it. A coroutine that ends with it is
 * cancelled; that is no failure, and nobody needs to await it.
 */
class AsyncCancellation extends \Error
{
}
