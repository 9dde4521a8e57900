<?php

// Twin: bridge/php-ext/together.c.

declare(strict_types=1);

namespace Async\Internal;

use Async\AsyncException;
use Async\Coroutine;

/**
 * Waits for several coroutines at once. "First" is who has ended first, whichever place it has among them.
 */
final class Together implements \Stringable
{
    /** @param int $count of how many coroutines one is waited for */
    private function __construct(private readonly int $count)
    {
    }

    /**
     * What all have returned, by their keys; throws what the first of those threw that failed.
     *
     * @param string $function who is called so
     * @param iterable<mixed> $coroutines
     * @return array<mixed>
     */
    public static function all(string $function, iterable $coroutines): array
    {
        [$keys, $all] = self::collect($function, $coroutines);
        foreach ($all as $coroutine) {
            $coroutine->join();
        }
        $results = [];
        $first = null;
        foreach ($all as $place => $coroutine) {
            $results[$keys[$place]] = $coroutine->getResult();
            if ($coroutine->getException() !== null && $coroutine->isBefore($first)) {
                $first = $coroutine;
            }
        }
        return $first === null ? $results : throw $first->getException();
    }

    /**
     * What the first one returned that did not fail.
     *
     * @param string $function who is called so
     * @param iterable<mixed> $coroutines
     */
    public static function any(string $function, iterable $coroutines): mixed
    {
        [, $given] = self::collect($function, $coroutines);
        $all = [];
        foreach ($given as $coroutine) {
            $all[$coroutine->getId()] = $coroutine; // each once
        }
        $left = $all;
        if ($left !== [] && self::first($all, failed: false) === null) {
            $loop = Runtime::loop();
            $wait = $loop->waitId();
            $isEnough = static function (Coroutine $ended) use (&$left): bool {
                unset($left[$ended->getId()]);
                return $left === [] || !$ended->hasFailed();
            };
            try {
                foreach ($all as $coroutine) {
                    $coroutine->follow($wait, $isEnough);
                }
                $loop->suspend($wait, Loop::NEVER, new self(\count($all)), follows: true);
            } finally {
                foreach ($all as $coroutine) {
                    $coroutine->unfollow($wait);
                }
            }
        }
        foreach ($all as $coroutine) {
            $coroutine->excuse();
        }
        $first = self::first($all, failed: false);
        return $first !== null ? $first->getResult() : throw new AsyncException(
            $all === [] ? 'There was no coroutine to await' : 'None of the coroutines has returned',
            previous: self::first($all, failed: true)?->getException(),
        );
    }

    /** For messages. */
    public function __toString(): string
    {
        return "the end of one of $this->count coroutines";
    }

    /**
     * Those that have ended in this way.
     *
     * @param array<Coroutine> $all
     */
    private static function first(array $all, bool $failed): ?Coroutine
    {
        $first = null;
        foreach ($all as $coroutine) {
            if ($coroutine->isCompleted() && $coroutine->hasFailed() === $failed && $coroutine->isBefore($first)) {
                $first = $coroutine;
            }
        }
        return $first;
    }

    /**
     * @param iterable<mixed> $coroutines
     * @return array{list<mixed>, list<Coroutine>} the keys, and of each its coroutine
     */
    private static function collect(string $function, iterable $coroutines): array
    {
        $keys = $all = [];
        foreach ($coroutines as $key => $coroutine) {
            if (!$coroutine instanceof Coroutine) {
                throw new \TypeError(\sprintf(
                    '%s(): Argument #1 ($coroutines) must give objects of Async\Coroutine, %s given',
                    $function,
                    \get_debug_type($coroutine),
                ));
            } elseif ($coroutine->isRunning()) {
                throw new AsyncException('A coroutine cannot await itself');
            }
            $keys[] = $key;
            $all[] = $coroutine;
        }
        return [$keys, $all];
    }
}
