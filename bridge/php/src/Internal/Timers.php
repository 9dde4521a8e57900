<?php

// Twin: bridge/php-ext/timers.c.

declare(strict_types=1);

namespace Async\Internal;

/**
 * What is to happen at some time: a heap of times, and by number what belongs to them.
 */
final class Timers
{
    /** Numbers that were cancelled leave the heap late; so many of them may lie in it in any case. */
    private const SLACK = 64;

    /** @var \SplMinHeap<array{int, int}> time and number */
    private \SplMinHeap $heap;

    /** @var array<int, array{int, int|\Closure}> by number: the time; the id of a wait, or what to call */
    private array $pending = [];

    /** How many of them are deadlines. They can end a wait: while there are some there is no deadlock. */
    private int $deadlines = 0;

    private int $last = 0;

    public function __construct()
    {
        $this->heap = new \SplMinHeap();
    }

    /** The time so many milliseconds from now. */
    public static function in(int $milliseconds): int
    {
        return hrtime(true) + min($milliseconds, \intdiv(PHP_INT_MAX, 2_000_000)) * 1_000_000;
    }

    /**
     * @param int|\Closure $what the id of a wait, for a deadline, or what to call in the background
     * @return int its number, for cancel()
     */
    public function add(int $ns, int|\Closure $what): int
    {
        $was = Undisturbed::begin();
        $number = ++$this->last;
        $this->pending[$number] = [$ns, $what];
        $this->heap->insert([$ns, $number]);
        $this->deadlines += \is_int($what) ? 1 : 0;
        Undisturbed::end($was);
        return $number;
    }

    /**
     * @return bool false: it had been cancelled already
     */
    public function cancel(int $number): bool
    {
        $was = Undisturbed::begin();
        $isThere = isset($this->pending[$number]);
        if ($isThere) {
            $this->deadlines -= \is_int($this->pending[$number][1]) ? 1 : 0;
            unset($this->pending[$number]);
            if (\count($this->heap) > 2 * \count($this->pending) + self::SLACK) {
                $this->heap = new \SplMinHeap();
                foreach ($this->pending as $left => [$ns]) {
                    $this->heap->insert([$ns, $left]);
                }
            }
        }
        Undisturbed::end($was);
        return $isThere;
    }

    /**
     * The next one whose time has come. Whoever does what is to happen cancels it.
     *
     * @return array{int, int|\Closure}|null its number, and what; null: none
     */
    public function due(int $now): ?array
    {
        $was = Undisturbed::begin();
        $top = $this->top();
        $due = $top === null || $top[0] > $now ? null : [$top[1], $this->pending[$top[1]][1]];
        Undisturbed::end($was);
        return $due;
    }

    /**
     * The time of the next one; Loop::NEVER: none.
     */
    public function next(): int
    {
        if ($this->pending === []) {
            return Loop::NEVER;
        }
        $was = Undisturbed::begin();
        $ns = $this->top()[0] ?? Loop::NEVER;
        Undisturbed::end($was);
        return $ns;
    }

    public function hasDeadlines(): bool
    {
        return $this->deadlines > 0;
    }

    /** @return array{int, int}|null time and number of the next one */
    private function top(): ?array
    {
        while (!$this->heap->isEmpty()) {
            $top = $this->heap->top();
            if (isset($this->pending[$top[1]])) {
                return $top;
            }
            $this->heap->extract();
        }
        return null;
    }
}
