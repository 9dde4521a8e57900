<?php

/** @generate-class-entries */

namespace Async\Internal;

/**
 * @strict-properties
 * @not-serializable
 */
final class PoolRef implements \Stringable
{
    public function __toString(): string {}

    public function make(): void {}

    public function sweep(): void {}
}
