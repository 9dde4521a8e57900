<?php

// Twin: bridge/php-ext/makers.c.

declare(strict_types=1);

namespace Async\Internal;

use FFI;

/**
 * Makes what those in line wait for, of a pool whose callers do not call the factory: createBehind.
 *
 * How many creations are due is the library's affair, and asked after whatever may have changed it. Each runs in a
 * fiber of its own, in the background; here is only counted who was called and has not come.
 */
final class Makers
{
    private int $called = 0;

    /**
     * @param \Closure(): void $make makes one; it knows the pool weakly, and must not throw
     */
    public function __construct(
        private readonly FFI $library,
        private readonly Loop $loop,
        private readonly \Closure $make,
    ) {
    }

    /**
     * Calls as many as are due in the pool of these books. Who comes too late finds nothing to do. A signal handler may
     * let the pool go where this is entered, so its handle is read after that.
     */
    public function call(Books $books): void
    {
        $due = $this->library->pool_creations_due($books->handle);
        while ($this->called < $due) {
            $this->called++;
            $this->loop->spawn($this->make, background: true);
        }
    }

    /** One has come. */
    public function come(): void
    {
        $this->called--;
    }
}
