<?php

declare(strict_types=1);

namespace Async\Internal;

/**
 * What a loop knows of a fiber, or of the main flow. It refers to the fiber only while it is to be resumed: a loop
 * keeps no fiber that nobody else refers to and nobody waits for.
 */
final class Flow
{
    /** The wait it is in. */
    public ?Wait $wait = null;

    /** The fiber, while it has let others go first and is no wait's. */
    public ?\Fiber $passing = null;

    /** What its next wait throws. */
    public ?\Throwable $interrupt = null;

    public function __construct(
        /** It is no fiber's. */
        public readonly bool $isMain,
        /** Somebody else has made it: the script goes on while it waits. */
        public readonly bool $isForeign,
    ) {
    }
}
