<?php

declare(strict_types=1);

namespace Async\Internal;

/**
 * The resources of a pool by their numbers: the library lends numbers, PHP code has values. One value may
 * have several numbers, when a factory made equal ones.
 */
final class Store
{
    /** @var array<int, mixed> the values by number */
    public array $values = [];

    /** @var array<int|string, int|list<int>> the numbers by {@see key()} of the value */
    public array $numbers = [];

    /** Numbers begin at 1: to the library 0 is "none". They are not used again. */
    private int $last = 0;

    public function add(mixed $value): int
    {
        $number = ++$this->last;
        $key = self::key($value);
        $this->values[$number] = $value;
        $this->numbers[$key] = isset($this->numbers[$key])
            ? [...(array) $this->numbers[$key], $number]
            : $number;

        return $number;
    }

    /** Takes a value out and answers it. */
    public function remove(int $number): mixed
    {
        $value = $this->values[$number];
        $key = self::key($value);
        $others = array_values(array_diff((array) $this->numbers[$key], [$number]));
        if ($others === []) {
            unset($this->numbers[$key]);
        } else {
            $this->numbers[$key] = isset($others[1]) ? $others : $others[0];
        }
        unset($this->values[$number]);

        return $value;
    }

    /**
     * The numbers of a value: of the same object, or of what is identical to it.
     *
     * @return list<int>
     */
    public function find(mixed $value): array
    {
        $numbers = (array) ($this->numbers[\is_object($value) ? \spl_object_id($value) : self::key($value)] ?? []);
        if (!\is_array($value)) {
            return $numbers;
        }

        return array_values(array_filter($numbers, fn (int $number) => $this->values[$number] === $value));
    }

    /**
     * What tells values apart. Arrays share one for each size and are compared; an object is its own, which
     * no other has while it is kept here.
     */
    public static function key(mixed $value): int|string
    {
        return match (true) {
            \is_object($value) => \spl_object_id($value),
            \is_int($value) => 'i' . $value,
            \is_string($value) => 's' . $value,
            \is_float($value) => 'f' . \pack('E', $value + 0.0), // -0.0 is 0.0
            \is_bool($value) => $value ? 'true' : 'false',
            \is_array($value) => 'a' . \count($value),
            $value === null => 'null',
            default => 'r' . (int) $value, // a stream and the like, closed ones too
        };
    }
}
