<?php

// Twin: bridge/php-ext/key.c.

declare(strict_types=1);

namespace Async\Internal;

/**
 * What tells values apart, as a key of an array: identical values have the same one.
 *
 * That of an object is its own, which no other has while it is kept. That of an array is made of all it holds, so it
 * costs what the comparison of two such arrays does. Two arrays may share one, and are compared then.
 */
final class Key
{
    /** An array that holds more, in all its depth, has no key. One that holds itself is such a one. */
    private const MOST = 100_000;

    /** null: an array that is too large */
    public static function of(mixed $value): int|string|null
    {
        return match (true) {
            \is_object($value) => \spl_object_id($value),
            \is_int($value) => 'i' . $value,
            \is_string($value) => 's' . $value,
            \is_float($value) => 'd' . \pack('E', $value + 0.0), // -0.0 is 0.0
            \is_bool($value) => $value ? 'true' : 'false',
            \is_array($value) => self::ofArray($value, false),
            $value === null => 'null',
            default => 'r' . (int) $value, // a stream and the like, closed ones too
        };
    }

    /**
     * Of an array that is kept until it is looked for. What it holds by reference may be another by then, the reference
     * is the same: arrays with this key are identical whatever becomes of them.
     *
     * @param bool $refers set: it holds references; otherwise this is {@see self::of()}
     */
    public static function ofKept(array $array, bool &$refers): ?string
    {
        return self::ofArray($array, true, $refers);
    }

    private static function ofArray(array $array, bool $isKept, bool &$refers = false): ?string
    {
        $left = self::MOST;
        $text = self::text($array, $left, $isKept, $refers);

        return $text === null ? null : 'a' . \hash('xxh128', $text, true);
    }

    /** No two arrays that are not identical have the same. */
    private static function text(array $array, int &$left, bool $isKept, bool &$refers): ?string
    {
        $text = '';
        foreach ($array as $index => $item) {
            if (--$left < 0) {
                return null;
            }
            $reference = $isKept ? \ReflectionReference::fromArrayElement($array, $index) : null;
            $refers = $refers || $reference !== null;
            $part = match (true) {
                $reference !== null => '&' . $reference->getId(),
                \is_array($item) => self::text($item, $left, $isKept, $refers),
                \is_object($item) => 'o' . self::of($item),
                \is_string($item) => 's' . \strlen($item) . ":$item",
                default => self::of($item),
            };
            if ($part === null) {
                return null;
            }
            $text .= \is_int($index) ? $index : \strlen($index) . ":$index";
            $text .= \is_array($item) ? "($part)" : "=$part;";
        }

        return $text;
    }

    private function __construct()
    {
    }
}
