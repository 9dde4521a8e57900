<?php

declare(strict_types=1);

namespace Async;

/**
 * The pool cannot do it: it is closed, its factory gave nothing, or what was given back is not its own.
 */
class PoolException extends AsyncException
{
}
