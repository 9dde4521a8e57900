<?php

// Twin: bridge/php-ext/store.c.

declare(strict_types=1);

namespace Async\Internal;

/**
 * The resources of a pool by their numbers: the library lends numbers, PHP code has values.
 *
 * Values that are identical share a number, which the library then has several times: whichever of them is lent or
 * released makes no difference. So a value is found by its key in one step, however many are like it.
 */
final class Store
{
    /** @var array<int, mixed> the values by number */
    public array $values = [];

    /** @var array<int|string, int> the numbers by {@see Key} of the value */
    public array $numbers = [];

    /** @var array<int, int> the numbers of objects that are there once, by their ids: for these there is a short way */
    public array $objects = [];

    /** @var array<int, array{string, int|null}> by number, if it is noted, who has it: the place, and the coroutine */
    public array $borrowers = [];

    /**
     * Arrays that may be found by comparing only: they hold references, and this is their key as long as those are the
     * same; or they have none, or another has it.
     *
     * @var array<int, string|false>
     */
    private array $loose = [];

    /** @var array<int, int> how many resources there are of a number */
    private array $uses = [];

    /** Numbers begin at 1: to the library 0 is "none". They are not used again. */
    private int $last = 0;

    public function add(mixed $value): int
    {
        $refers = false;
        $key = \is_array($value) ? Key::ofKept($value, $refers) : Key::of($value);
        $was = Undisturbed::begin();
        $number = $key === null ? 0 : $this->numbers[$key] ?? 0;
        if ($number === 0 || (\is_array($value) && !$refers && $this->values[$number] !== $value)) {
            $isFound = $key !== null && $number === 0;
            $number = ++$this->last;
            $this->values[$number] = $value;
            $this->uses[$number] = 0;
            if ($isFound) {
                $this->numbers[$key] = $number;
            }
            if ($refers || !$isFound) {
                $this->loose[$number] = $isFound ? $key : false;
            }
        }
        if ($this->uses[$number]++ > 0) {
            unset($this->objects[$key]);
        } elseif (\is_object($value)) {
            $this->objects[$key] = $number;
        }
        Undisturbed::end($was);

        return $number;
    }

    /** Takes one of a number out and answers its value; null: there is none. */
    public function remove(int $number): mixed
    {
        $value = $this->values[$number] ?? null;
        $key = $this->loose[$number] ?? Key::of($value);
        $was = Undisturbed::begin();
        if (!isset($this->uses[$number])) {
            $value = null;
        } elseif (--$this->uses[$number] === 0) {
            if ($key !== false) {
                unset($this->numbers[$key], $this->objects[$key]);
            }
            unset($this->values[$number], $this->uses[$number], $this->loose[$number], $this->borrowers[$number]);
        }
        Undisturbed::end($was);

        return $value;
    }

    /**
     * The numbers of a value: of the same object, or of what is identical to it. The next one is looked for when it is
     * asked for.
     *
     * @return iterable<int>
     */
    public function find(mixed $value): iterable
    {
        $refers = false;
        $kept = \is_array($value) && $this->loose !== [] ? Key::ofKept($value, $refers) : Key::of($value);
        $first = $kept === null ? 0 : $this->numbers[$kept] ?? 0;
        if ($first !== 0 && (!\is_array($value) || $refers || ($this->values[$first] ?? null) === $value)) {
            yield $first;
        }
        if (!\is_array($value) || $this->loose === []) {
            return;
        }
        $key = $refers ? Key::of($value) : null;
        $number = $key === null ? 0 : $this->numbers[$key] ?? 0;
        if ($number !== 0 && ($this->values[$number] ?? null) === $value) {
            yield $number;
        }
        $holdsItself = $refers && $key === null && $kept !== null; // so it seems, and PHP does not compare such arrays
        foreach ($this->loose as $number => $_) {
            $other = $this->values[$number] ?? [];
            if ($number !== $first && ($holdsItself ? Key::ofKept($other, $refers) === $kept : $other === $value)) {
                yield $number;
            }
        }
    }
}
