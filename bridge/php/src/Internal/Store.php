<?php

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

    /** @var array<int, int> arrays that no key finds: they hold references, or another has their key */
    private array $loose = [];

    /** @var array<int, int> how many resources there are of a number */
    private array $uses = [];

    /** Numbers begin at 1: to the library 0 is "none". They are not used again. */
    private int $last = 0;

    public function add(mixed $value): int
    {
        $key = \is_array($value) ? Key::ofKept($value) : Key::of($value);
        $was = Undisturbed::begin();
        $number = $key === null ? 0 : $this->numbers[$key] ?? 0;
        if ($number === 0 || (\is_array($value) && $this->values[$number] !== $value)) {
            $isFound = $key !== null && $number === 0;
            $number = ++$this->last;
            $this->values[$number] = $value;
            $this->uses[$number] = 0;
            if ($isFound) {
                $this->numbers[$key] = $number;
            } else {
                $this->loose[$number] = $number;
            }
        }
        $this->uses[$number]++;
        Undisturbed::end($was);

        return $number;
    }

    /** Takes one of a number out and answers its value; null: there is none. */
    public function remove(int $number): mixed
    {
        $value = $this->values[$number] ?? null;
        $key = isset($this->loose[$number]) ? null : Key::of($value);
        $was = Undisturbed::begin();
        if (!isset($this->uses[$number])) {
            $value = null;
        } elseif (--$this->uses[$number] === 0) {
            if ($key !== null) {
                unset($this->numbers[$key]);
            }
            unset($this->values[$number], $this->uses[$number], $this->loose[$number]);
        }
        Undisturbed::end($was);

        return $value;
    }

    /**
     * The numbers of a value: of the same object, or of what is identical to it.
     *
     * @return list<int>
     */
    public function find(mixed $value): array
    {
        $key = Key::of($value);
        $number = $key === null ? 0 : $this->numbers[$key] ?? 0;
        if (!\is_array($value)) {
            return $number === 0 ? [] : [$number];
        }
        $found = $number !== 0 && $this->values[$number] === $value ? [$number] : [];
        foreach ($this->loose as $number) {
            if (($this->values[$number] ?? null) === $value) {
                $found[] = $number;
            }
        }

        return $found;
    }
}
