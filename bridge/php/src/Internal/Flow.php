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

    /** What its next wait throws. */
    public ?\Throwable $interrupt = null;

    public function __construct(
        /** 1: the script goes on while it waits; 0: it is in the background, or the main flow itself. */
        public readonly int $alive,
    ) {
    }
}
