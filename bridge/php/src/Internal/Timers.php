<?php

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

    /** @var array<int, array{int, int|\Closure}> by number: the time; a ticket, or what to call */
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
     * @param int|\Closure $what a ticket, for a deadline, or what to call in the background
     * @return int its number, for cancel()
     */
    public function add(int $ns, int|\Closure $what): int
    {
        $number = ++$this->last;
        $this->pending[$number] = [$ns, $what];
        $this->heap->insert([$ns, $number]);
        $this->deadlines += is_int($what) ? 1 : 0;
        return $number;
    }

    public function cancel(int $number): void
    {
        if (isset($this->pending[$number])) {
            $this->remove($number);
            if (count($this->heap) > 2 * count($this->pending) + self::SLACK) {
                $this->heap = new \SplMinHeap();
                foreach ($this->pending as $left => [$ns]) {
                    $this->heap->insert([$ns, $left]);
                }
            }
        }
    }

    /**
     * Takes out the next one whose time has come.
     *
     * @return int|\Closure|null null: none
     */
    public function due(int $now): int|\Closure|null
    {
        if ($this->next() > $now) {
            return null;
        }
        return $this->remove($this->heap->extract()[1]);
    }

    /**
     * The time of the next one; Loop::NEVER: none.
     */
    public function next(): int
    {
        while (!$this->heap->isEmpty()) {
            [$ns, $number] = $this->heap->top();
            if (isset($this->pending[$number])) {
                return $ns;
            }
            $this->heap->extract();
        }
        return Loop::NEVER;
    }

    public function hasDeadlines(): bool
    {
        return $this->deadlines > 0;
    }

    private function remove(int $number): int|\Closure
    {
        $what = $this->pending[$number][1];
        unset($this->pending[$number]);
        $this->deadlines -= is_int($what) ? 1 : 0;
        return $what;
    }
}
