<?php

declare(strict_types=1);

namespace Async\Internal;

/**
 * What a loop knows of a fiber, or of the main flow.
 */
final class Flow
{
    /** The wait it is in. */
    public ?Wait $wait = null;

    /** It has let others go first, and is no wait's. */
    public bool $passing = false;

    /** What its next wait throws. */
    public ?\Throwable $interrupt = null;

    public function __construct(
        /** null: the main flow */
        public readonly ?\Fiber $fiber,
        /** Somebody else has made it: the script goes on while it waits. */
        public readonly bool $foreign,
    ) {
    }
}
