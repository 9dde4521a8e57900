<?php

declare(strict_types=1);

namespace Async;

use Async\Internal\StrictProperties;

/**
 * One lend, as {@see Pool::lends()} and the pool's onLeak tell it.
 *
 * Times and borrowers are noted by pools with leakAfter or timed.
 *
 * @template-covariant T
 */
final class Lend
{
    use StrictProperties;

    public function __construct(
        /** @var T what is lent */
        public readonly mixed $resource,
        /** Milliseconds that it has been lent for, about; 0 where that is not noted. */
        public readonly int $ms,
        /** How often it has been lent, this time included; 0 where that is not counted. */
        public readonly int $uses,
        /** file:line of who acquired it, outside of this package; null: not noted. */
        public readonly ?string $place,
        /** The id of the coroutine that acquired it; null: not noted, or it was none. */
        public readonly ?int $coroutine,
    ) {
    }
}
