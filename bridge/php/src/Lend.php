<?php

declare(strict_types=1);

namespace Async;

/**
 * One lend, as {@see Pool::lends()} and the pool's onLeak tell it.
 *
 * Times and borrowers are noted by pools with leakAfter or timed.
 *
 * @template-covariant T
 */
final class Lend
{
    /**
     * @param T $resource what is lent
     * @param int $ms milliseconds that it has been lent for, about; 0 where that is not noted
     * @param int $uses how often it has been lent, this time included; 0 where that is not counted
     * @param string|null $place file:line of who acquired it, outside of this package; null: not noted
     * @param int|null $coroutine the id of the coroutine that acquired it; null: not noted, or it was none
     */
    public function __construct(
        public readonly mixed $resource,
        public readonly int $ms,
        public readonly int $uses,
        public readonly ?string $place,
        public readonly ?int $coroutine,
    ) {
    }
}
